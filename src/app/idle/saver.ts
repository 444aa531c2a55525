// Whether the machine saves its battery: then nothing is decoded but what the user asks for.
import type { ConversationPorts } from '../ports/conversationPorts.ts';

/** Milliseconds. Asking starts a program. */
const fresh = 30_000;

export class Saver {
  private readonly ports: Pick<ConversationPorts, 'power' | 'now'>;
  private asked = Number.NEGATIVE_INFINITY;
  private answer: Promise<boolean> = Promise.resolve(false);

  constructor(ports: Pick<ConversationPorts, 'power' | 'now'>) {
    this.ports = ports;
  }

  /** As it was up to half a minute ago. What is not known does not save. Never rejects. */
  isOn(): Promise<boolean> {
    const now = this.ports.now().getTime();
    // A clock that was put back asks again as well.
    if (Math.abs(now - this.asked) < fresh) return this.answer;
    this.asked = now;
    this.answer = this.ports.power().then(
      (power) => power === 'saver',
      () => false,
    );
    return this.answer;
  }
}
