// The host's answer to a question, asked when a part appears, and again when the subject of the question has changed.
import { useEffect, useState } from 'preact/hooks';
import type { Questions } from '../../src/protocol/questions.ts';
import { ask } from '../shared/host.ts';

export interface Asking<T> {
  /** The latest answer; null before the first one. */
  readonly value: T | null;
  readonly there: boolean;
  /** Why there is none; '' where there is one, or may be. */
  readonly problem: string;
}

/** `changed` is compared as it is: another value asks again, and what was answered before is shown meanwhile. */
export function useAnswer<K extends keyof Questions>(
  question: K,
  params: Questions[K]['params'],
  changed: unknown,
): Asking<Questions[K]['result']> {
  const [answer, set] = useState<Asking<Questions[K]['result']>>({ value: null, there: false, problem: '' });
  useEffect(() => {
    let wanted = true;
    ask(question, params).then(
      (value) => wanted && set({ value, there: true, problem: '' }),
      (error: unknown) => wanted && set({ value: null, there: false, problem: String((error as Error).message) }),
    );
    return () => {
      wanted = false;
    };
  }, [question, JSON.stringify(params), changed]);
  return answer;
}
