// Words as they are, in a region that scrolls by itself and so is reached by the keyboard.
import { visible } from '../shared/visible.ts';

export function Verbatim({ name, text }: { name: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="verbatim" tabIndex={0} aria-label={name}>
      {visible(text)}
    </section>
  );
}
