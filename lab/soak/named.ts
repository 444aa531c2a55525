// `npm run soak`: kills of the process that runs the chat, or of its engine; `npm run soak -- slots`: cancels and kills of a slot.
const [name] = process.argv.slice(2);
if (name === 'slots') process.argv.splice(2, 1);
await (name === 'slots' ? import('./cancels.ts') : import('./run.ts'));
