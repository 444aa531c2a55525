// The server that a model runs on, if not this editor: what leaves the machine and to where stays in sight, with what is known of the server.
import type { Grade, ServerInfo } from '../../src/core/engine/modelInfo.ts';
import type { EngineView } from '../../src/protocol/view.ts';
import { t } from '../shared/l10n.ts';
import { useOpened } from '../shared/looks.ts';
import { visible } from '../shared/visible.ts';

const grades: Readonly<Record<Grade, string>> = {
  exact: t('exact tokens'),
  counted: t('counted tokens'),
  estimated: t('estimated tokens'),
};

/** A badge for each server that a model of the conversation runs on. */
export function ServerBadges({ engines }: { engines: readonly EngineView[] }) {
  const servers = engines.flatMap(({ model }) => model?.server ?? []);
  // The same name may be asked with and without encryption.
  const keyOf = ({ host, isEncrypted, software }: ServerInfo) => `${host} ${isEncrypted} ${software}`;
  const each = new Map(servers.map((server) => [keyOf(server), server] as const));
  return [...each].map(([key, server]) => <ServerBadge key={key} server={server} />);
}

function ServerBadge({ server }: { server: ServerInfo }) {
  const opened = useOpened(`server ${server.host}`);
  const { host, isLoopback, isEncrypted, grade, software, reasons, ownSlots } = server;
  const words = isLoopback ? t('Server here: {0}', visible(host)) : t('Sent to {0}', visible(host));
  const open = !isEncrypted && !isLoopback;
  return (
    <details class={`server-badge${open ? ' open-wire' : ''}`} {...opened}>
      <summary>
        <span class={`codicon codicon-${open ? 'unlock' : isLoopback ? 'server-process' : 'lock'}`} />
        <span class="server-words" title={words}>
          {words}
        </span>
        <span class="server-grade">{grades[grade]}</span>
      </summary>
      <ul>
        <li>{isLoopback ? t('Nothing leaves this machine.') : leaves(isEncrypted)}</li>
        <li>{visible(software)}</li>
        {reasons.map((reason) => (
          <li key={reason}>{visible(reason)}</li>
        ))}
        <li>{slotWords(ownSlots)}</li>
      </ul>
    </details>
  );
}

function leaves(encrypted: boolean): string {
  const what = t('Your messages, the code found or read for them, and results of tools leave this machine.');
  return encrypted ? what : `${what} ${t('The connection is not encrypted.')}`;
}

function slotWords(slots: readonly number[] | null): string {
  if (slots === null) return t('The server chooses the slot, which others may use too.');
  return slots.length === 1 ? t('Slot {0} is yours.', String(slots[0])) : t('Slots {0} are yours.', slots.join(', '));
}
