// Whether the machine saves its battery: then nothing is decoded but what the user asks for.
import type { Clock } from '../ports/clock.ts';

/** Milliseconds. Asking starts a program. */
const fresh = 30_000;

/** Whether the machine saves its battery. */
export type ReadPower = () => Promise<'saver' | 'free' | 'unknown'>;

export class Saver {
  private readonly power: ReadPower;
  private readonly clock: Pick<Clock, 'now'>;
  private asked = Number.NEGATIVE_INFINITY;
  private answer: Promise<boolean> = Promise.resolve(false);

  constructor(power: ReadPower, clock: Pick<Clock, 'now'>) {
    this.power = power;
    this.clock = clock;
  }

  /** An answer may be half a minute old. What is not known does not save. Never rejects. */
  isOn(): Promise<boolean> {
    const now = this.clock.now().getTime();
    // A clock that was put back asks again as well.
    if (Math.abs(now - this.asked) < fresh) return this.answer;
    this.asked = now;
    this.answer = this.power().then(
      (power) => power === 'saver',
      () => false,
    );
    return this.answer;
  }
}
