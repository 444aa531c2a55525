// What each turn of the session cost: its prompts' tokens by how they got into the slot, and the time to the first word. Also a table.
import type { TurnView } from '../../src/protocol/view.ts';
import { number, seconds } from '../format.ts';

const kinds = [
  { key: 'decoded', name: 'decoded' },
  { key: 'shifted', name: 'moved up' },
  { key: 'reused', name: 'reused' },
] as const;

export function TurnsChart({ turns }: { turns: readonly TurnView[] }) {
  if (turns.length === 0) return <p class="hint">No turn has ended yet. Each one adds a column here.</p>;
  const most = Math.max(1, ...turns.map(({ prompt }) => prompt));
  const longest = Math.max(1, ...turns.map(({ firstTokenMilliseconds }) => firstTokenMilliseconds ?? 0));
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <section class="turns">
      <div class="keys" aria-hidden="true">
        {kinds.toReversed().map(({ key, name }) => (
          <span key={key}>
            <span class={`swatch ${key}`} /> {name}
          </span>
        ))}
      </div>
      <h3 id="tokens-of-turns">Prompt tokens per turn, up to {number(most)}</h3>
      <div class="columns" aria-hidden="true">
        {turns.map((turn, i) => (
          <div key={`${i + 1}`} class="column" title={wordsOf(turn)}>
            {kinds.map(({ key }) => (
              <span key={key} class={key} style={{ height: share(turn[key], most) }} />
            ))}
          </div>
        ))}
      </div>
      <h3>Time to the first word, up to {seconds(longest)}</h3>
      <div class="columns low" aria-hidden="true">
        {turns.map((turn, i) => (
          <div key={`${i + 1}`} class="column" title={wordsOf(turn)}>
            <span class="first" style={{ height: share(turn.firstTokenMilliseconds ?? 0, longest) }} />
          </div>
        ))}
      </div>
      <TurnTable turns={turns} />
    </section>
  );
}

function wordsOf({ turn, prompt, reused, shifted, decoded, firstTokenMilliseconds }: TurnView): string {
  const first = firstTokenMilliseconds === null ? '' : `; first word after ${seconds(firstTokenMilliseconds)}`;
  return `Turn ${turn}: ${number(prompt)} prompt tokens, ${number(reused)} reused, ${number(shifted)} moved up, ${number(decoded)} decoded${first}`;
}

function TurnTable({ turns }: { turns: readonly TurnView[] }) {
  return (
    <table class="calls">
      <caption>The same in numbers</caption>
      <thead>
        <tr>
          <th>turn</th>
          <th>prompt</th>
          <th class="parted">reused</th>
          <th class="parted">moved</th>
          <th>decoded</th>
          <th>first word</th>
        </tr>
      </thead>
      <tbody>
        {turns.map((turn, i) => (
          <tr key={`${i + 1}`}>
            <td>{turn.end === 'done' ? turn.turn : `${turn.turn} ${turn.end}`}</td>
            <td>{number(turn.prompt)}</td>
            <td class="parted">{number(turn.reused)}</td>
            <td class="parted">{number(turn.shifted)}</td>
            <td>{number(turn.decoded)}</td>
            <td>{turn.firstTokenMilliseconds === null ? '' : seconds(turn.firstTokenMilliseconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
