// An engine that says thousands of things nobody asked for, and answers in between: a child for the test of the channel.
import { numbers } from '../../app/scenes/longChat.ts';
import { oddMessage } from './oddMessages.ts';

const random = numbers(Number(process.env.TIDEMARK_SEED));
const say = (message: unknown) => process.send?.(message as object);

process.on('message', (message: { readonly id?: number; readonly method?: string }) => {
  // Answers to what it asked itself come here too.
  if (message.method !== 'count') return;
  for (let i = 0; i < 2500; i++) say(oddMessage(random));
  say({ jsonrpc: '2.0', id: message.id, result: [message.id] });
});
process.on('disconnect', () => process.exit(0));
