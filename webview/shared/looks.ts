// How a session looked when its view was hidden: which rows the user opened or closed, and which one stood at the top.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { kept } from './host.ts';
import type { SessionLook, Top } from './look.ts';

const mostSessions = 10;
const mostRows = 200;

/** The session that is drawn; '' for what is not remembered. */
export const ShownSession = createContext('');

/** Entries are numbered anew with each life of the host. */
export function entryKey(id: string): string {
  return `${document.body.dataset.life ?? ''} ${id}`;
}

export function lookOf(session: string): SessionLook {
  return kept.load().looks.find((look) => look.session === session) ?? { session, opened: {}, top: null };
}

export function keepTop(session: string, top: Top | null): void {
  keep({ ...lookOf(session), top });
}

function keepOpened(session: string, key: string, open: boolean): void {
  const look = lookOf(session);
  const others = Object.entries(look.opened).filter(([name]) => name !== key);
  keep({ ...look, opened: Object.fromEntries([...others, [key, open] as const].slice(-mostRows)) });
}

function keep(look: SessionLook): void {
  if (look.session === '') return;
  const others = kept.load().looks.filter(({ session }) => session !== look.session);
  kept.save({ looks: [...others, look].slice(-mostSessions) });
}

/** For a row that opens: as the user left it, or else as it is by itself. What opens by itself may be remembered, too. */
export function useOpened(key: string, byItself = false, remembered = false) {
  const session = useContext(ShownSession);
  const [chosen, choose] = useState<boolean | undefined>(() => lookOf(session).opened[key]);
  const open = chosen ?? byItself;
  useEffect(() => {
    if (remembered && byItself && chosen === undefined) keepOpened(session, key, true);
  }, [byItself]);
  const onToggle = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => {
    if (currentTarget.open === open) return;
    choose(currentTarget.open);
    keepOpened(session, key, currentTarget.open);
  };
  return { open, onToggle };
}
