// The whole report of a session's context as one document: everything the panel shows, and the exact prompt.
import { samplingText } from '../../core/model/sampling.ts';
import { stackReport } from '../../core/report/report.ts';
import { fenced, listText, summaryText } from '../../core/report/reportText.ts';
import type { ContextParts } from './contextAnswers.ts';

/** `prompt` is the text the engine gets for the next message, special strings included; '' where a server does not tell it. */
export function exportReport(format: 'json' | 'markdown', desk: ContextParts, prompt: string): string {
  const stack = stackReport(desk.fitted);
  const { agent, graph, session, calls, mechanisms } = desk;
  const inForce = { agent: agent.name, graph, policy: agent.policy, switches: agent.switches, sampling: desk.sampling };
  if (format === 'json') {
    const report = { session: session.id, inForce, ...stack, calls, mechanisms, prompt };
    return `${JSON.stringify(report, null, 2)}\n`;
  }
  const settings = Object.entries(agent.policy).map(([key, value]) => `${key} ${value}`);
  return [
    '# Tidemark context report',
    '',
    `Agent ${agent.name}, graph ${graph}; ${settings.join(', ')}.`,
    ...(desk.sampling === null ? [] : ['', `Tokens are drawn with ${samplingText(desk.sampling)}.`]),
    '',
    summaryText(stack, calls, mechanisms),
    '',
    '## Items',
    '',
    listText(stack),
    '',
    '## Tools',
    '',
    ...stack.tools.map(({ name, tokens }) => `- ${name}: ${tokens} tokens`),
    '',
    ...(prompt === '' ? [] : ['## The exact prompt', '', fenced(prompt), '']),
  ].join('\n');
}
