// News that go with the next message without being asked for.

/** In the place of the item that an attachment brings back: it was told only once. */
export const newsOf = 'news';

/** In the place of the item that an attachment brings back: the commands that still run. */
export const runningOf = 'running';

/** How the news begins that tells the model what became of the code blocks of its answer. */
export const becameOf = 'What became of your code blocks: ';
