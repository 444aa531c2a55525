// How a session looked when its view was hidden: which rows the user opened or closed, and which one stood at the top.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { kept } from './host.ts';

/** The row at the top edge of what scrolls, and how many pixels above the edge it begins. */
export interface Top {
  readonly row: string;
  readonly above: number;
}

export interface Look {
  readonly session: string;
  /** By the key of a row, the one that was changed last at the end. */
  readonly opened: Readonly<Record<string, boolean>>;
  /** Null at the end of the conversation. */
  readonly top: Top | null;
}

const mostSessions = 10;
const mostRows = 200;

/** The session that is drawn; '' for what is not remembered. */
export const ShownSession = createContext('');

/** Entries are numbered anew with each life of the host. */
export function entryKey(id: string): string {
  return `${document.body.dataset.life ?? ''} ${id}`;
}

export function lookOf(session: string): Look {
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

function keep(look: Look): void {
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
