// The whole report of a session's context as one document: everything the panel shows, and the exact prompt.
import { graphFor } from '../../core/abilities/abilities.ts';
import { samplingFor, samplingText } from '../../core/model/sampling.ts';
import { stackReport } from '../../core/report/report.ts';
import { fenced, listText, summaryText } from '../../core/report/reportText.ts';
import { nextPrompt } from '../turn/nextPrompt.ts';
import { type CommandContext, mechanismsOf } from './commandContext.ts';

/** Returns null where another session was opened meanwhile. Rejects with a FaultError where there is no model. */
export async function exportReport(context: CommandContext, format: 'json' | 'markdown'): Promise<string | null> {
  const { turns, conversation } = context;
  const { engines, settings: settingsNow } = turns.context;
  const { session } = conversation;
  const info = await engines.life.ensure();
  const fitted = await nextPrompt(turns, session, info);
  // The text that the engine gets for the next message, special strings included; '' where a server does not tell it.
  const prompt = (await engines.engine.spelling?.text(fitted.prompt)) ?? '';
  // The calls that are shown are another session's by then.
  if (session !== conversation.session) return null;
  const stack = stackReport(fitted);
  const { agent, sampling: wanted } = settingsNow();
  const { calls } = conversation.now;
  const mechanisms = mechanismsOf(context, session);
  const graph = graphFor(agent, engines.abilities.of(info)).name;
  const sampling = samplingFor(wanted, info.sampling ?? {});
  if (format === 'json') {
    const inForce = { agent: agent.name, graph, policy: agent.policy, switches: agent.switches, sampling };
    const report = { session: session.id, inForce, ...stack, calls, mechanisms, prompt };
    return `${JSON.stringify(report, null, 2)}\n`;
  }
  const settings = Object.entries(agent.policy).map(([key, value]) => `${key} ${value}`);
  return [
    '# Tidemark context report',
    '',
    `Agent ${agent.name}, graph ${graph}; ${settings.join(', ')}.`,
    '',
    `Tokens are drawn with ${samplingText(sampling)}.`,
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
