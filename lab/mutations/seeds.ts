// Mutations by the rows of what the five sources promise (test/seeds/rows.txt): each breaks what its row says, so a test that the row names must turn
// red.
import type { Mutation } from './mutation.ts';

export const seedMutations: readonly Mutation[] = [
  {
    row: 'A1',
    name: 'A1: every second prompt has a blank more in its system text',
    file: 'src/core/pruning/projection.ts',
    find: `function headSegments(stack: Stack, node: NodeView): readonly Segment[] {
  const parts = stack.workspace.filter(({ text }) => text !== '');
  return [
    ...systemSegments(stack.system, node.instruction),`,
    replace: `let made = 0;
function headSegments(stack: Stack, node: NodeView): readonly Segment[] {
  const parts = stack.workspace.filter(({ text }) => text !== '');
  made += 1;
  return [
    ...systemSegments(stack.system + ' '.repeat(made % 2), node.instruction),`,
  },
  {
    row: 'A2',
    name: 'A2: what was looked up for one turn stays where a template words it',
    file: 'src/core/pruning/fitPrompt.ts',
    find: "item.origin === 'attachment' || (item.origin === 'knowledge' && !item.replaces)",
    replace: "item.origin === 'attachment'",
  },
  {
    row: 'A3',
    name: 'A3: the node that chooses tools has no schemas',
    file: 'src/core/pruning/projection.ts',
    find: "node.calls === 'none' ? [] : stack.tools",
    replace: "node.calls === 'auto' ? stack.tools : []",
  },
  {
    row: 'A4',
    name: 'A4: both nodes of the split graph share a slot',
    file: 'src/core/agent/graph.ts',
    find: 'slot: 1,',
    replace: 'slot: 0,',
  },
  {
    row: 'A5',
    name: 'A5: the early trim goes to a third of the low mark',
    file: 'src/core/pruning/fitPrompt.ts',
    find: '(most * budget.low) / budget.high',
    replace: '(most * budget.low) / (3 * budget.high)',
  },
  {
    row: 'A6',
    name: 'A6: dropped turns come back where there is room',
    file: 'src/core/pruning/fitPrompt.ts',
    find: 'let now = await settleCaps(first, project, budget.resultCap);',
    replace: `const runs = first.pruned.runs.filter(({ by }) => by !== 'dropTurns' || first.measure.total > budget.low);
  let now = await settleCaps(await project({ ...first.pruned, runs }), project, budget.resultCap);`,
  },
  {
    row: 'A7',
    name: 'A7: the frame of a message counts nothing',
    file: 'src/tokens/estimate.ts',
    find: 'glueOfMessage = 8;',
    replace: 'glueOfMessage = 0;',
  },
  {
    row: 'A8',
    name: 'A8: what a prompt shares with the cache stays in steps of 64 tokens',
    file: 'src/engine/worker/slot/slot.ts',
    find: 'Math.min(plan.keep, this.exactTo) : plan.keep;',
    replace: 'Math.min(plan.keep, this.exactTo) : plan.keep - (plan.erase.length === 0 ? plan.keep % 64 : 0);',
  },
  {
    row: 'A9',
    name: 'A9: every node runs on the model that answers',
    file: 'src/app/slots/windowEngines.ts',
    find: 'return this.editor.of(engineOf(agent, node));',
    replace: 'return this.editor.of(engineOf(agent, node && null));',
  },
  {
    row: 'B1',
    name: 'B1: recent turns count as the message of now',
    file: 'src/core/pruning/projection.ts',
    find: "layer: earlier ? 'history' : layer,",
    replace: "layer: earlier && layer !== 'turn' ? 'history' : layer,",
  },
  {
    row: 'B2',
    name: 'B2: the schemas of tools take no room in the window',
    file: 'src/templates/tokenise.ts',
    find: 'const measure = { total: tokens.length,',
    replace: 'const measure = { total: tokens.length - tools.reduce((a, b) => a + b, 0),',
  },
  {
    row: 'B3',
    name: 'B3: the report shows files as they are injected only',
    file: 'src/core/report/report.ts',
    find: '({ name, raw, injected }) => ({ name, raw, injected })',
    replace: '({ name, injected }) => ({ name, raw: injected, injected })',
  },
  {
    row: 'B4',
    name: 'B4: the list counts from 1 and the detail from 0',
    file: 'src/core/report/reportText.ts',
    find: 'to - from === 1 ? String(from) :',
    replace: 'to - from === 1 ? String(from + 1) :',
  },
  {
    row: 'B5',
    name: 'B5: nobody looks whether the line of a model names what is there',
    file: 'src/core/compaction/writing/summarise.ts',
    find: 'auditLine(read.done, task.sources)',
    replace: "auditLine('', task.sources)",
  },
  {
    row: 'B6',
    name: 'B6: what has to be asked about is kept unasked',
    file: 'src/app/memory/keptNotes.ts',
    find: '(problem.asks && isMeant !== undefined)',
    replace: '(problem.asks && isMeant !== anyway)',
  },
  {
    row: 'B7',
    name: 'B7: the memory may take all the room, and the board its share besides',
    file: 'src/core/memory/digest.ts',
    find: 'Math.max(share, maxTokens - workRaw)',
    replace: 'Math.max(share, maxTokens)',
  },
  {
    row: 'B8',
    name: 'B8: the oldest tool output stays whole instead of the latest',
    file: 'src/core/pruning/clearEarlier.ts',
    find: 'results.slice(Math.max(0, results.length - context.policy.keepRecentToolResults))',
    replace: 'results.slice(0, context.policy.keepRecentToolResults)',
  },
  {
    row: 'B9',
    name: 'B9: a prompt may have four messages more than allowed',
    file: 'src/core/pruning/capMessages.ts',
    find: 'context.messages <= cap)',
    replace: 'context.messages <= cap + 4)',
  },
  {
    row: 'C1',
    name: 'C1: tools run once, and then the answer has to come',
    file: 'src/core/turn/turn.ts',
    find: 'isNew ? round + 1 : policy.maxToolRounds',
    replace: 'isNew ? Math.max(round + 1, policy.maxToolRounds) : policy.maxToolRounds',
  },
  {
    row: 'C2',
    name: 'C2: a prompt has the tools of now instead of those of its conversation',
    file: 'src/app/turn/planTurn.ts',
    find: 'turnTools(session, frozen.tools, now,',
    replace: 'turnTools(session, now.map(({ schema }) => schema), now,',
  },
  {
    row: 'C3',
    name: 'C3: the note names what was searched before this turn',
    file: 'src/core/turn/turn.ts',
    find: 'path.slice(currentStart(path))',
    replace: 'path.slice(0, currentStart(path))',
  },
  {
    row: 'C4',
    name: 'C4: the model may go on calling when the rounds are used up',
    file: 'src/core/turn/turn.ts',
    find: "const toolCalls = offered.length > 0 ? node.calls : 'none';",
    replace: 'const toolCalls = node.calls;',
  },
  {
    row: 'C5',
    name: 'C5: old results shrink within a turn',
    file: 'src/core/pruning/fitPrompt.ts',
    find: 'const stubs = request.turnStart && now',
    replace: 'const stubs = now',
  },
  {
    row: 'C6',
    name: 'C6: a summary waits until the limit is reached',
    file: 'src/core/pruning/strategy.ts',
    find: 'compactAt: pinned + Math.floor(history * compactAt),',
    replace: 'compactAt: pinned + history,',
  },
  {
    row: 'C7',
    name: 'C7: the cache is warmed before the first message only',
    file: 'src/app/idle/idleWork.ts',
    find: "if (!warm || reuse === 'none') return",
    replace: "if (!warm || reuse === 'none' || session.state.dialog.turns > 0) return",
  },
  {
    row: 'C8',
    name: 'C8: the day stands in the system text',
    file: 'src/app/turn/planTurn.ts',
    find: "modelAgent(info.name)?.dayIn === 'head' ? dayOf(clock.now()) : ''",
    replace: "modelAgent(info.name)?.dayIn === 'message' ? '' : dayOf(clock.now())",
  },
  {
    row: 'C9',
    name: 'C9: workspace texts count as system text',
    file: 'src/core/report/report.ts',
    find: 'add(segment.layer, fitted',
    replace: "add(segment.layer === 'workspace' ? 'system' : segment.layer, fitted",
  },
  {
    row: 'D1',
    name: 'D1: history takes half of the space of the answer',
    file: 'src/core/prompt/budget.ts',
    find: 'const high = window - reserve;',
    replace: 'const high = window - Math.floor(reserve / 2);',
  },
  {
    row: 'D2',
    name: 'D2: the first message of the history holds the system text',
    file: 'src/core/turn/turn.ts',
    find: 'this.add(saidOn(said, path));',
    replace: `const system = path.length === 0 ? \`\${this.setup.stack.system}\\n\\n\` : '';
    this.add(saidOn({ ...said, text: system + said.text }, path));`,
  },
  {
    row: 'D3',
    name: 'D3: a turn begins anew at each call, so that a part of it may go',
    file: 'src/core/dialog/dialog.ts',
    find: "if (path[i]?.origin === 'user') starts",
    replace: "if (path[i]?.origin === 'user' || path[i]?.origin === 'call') starts",
  },
  {
    row: 'D4',
    name: 'D4: a summary is written and does not come into the prompt',
    file: 'src/app/compaction/compactions.ts',
    find: 'slots: slotChanges(session.state.pruned, slots) });',
    replace: 'slots: slotChanges(slots, slots) });',
  },
  {
    row: 'D5',
    name: 'D5: a prompt may take the space of the answer before it is refused',
    file: 'src/core/pruning/fitPrompt.ts',
    find: 'if (now.measure.total > budget.high) throw',
    replace: 'if (now.measure.total > budget.window) throw',
  },
  {
    row: 'D6',
    name: 'D6: only the oldest turn goes where the context is full',
    file: 'src/core/pruning/emergency.ts',
    find: 'turns.slice(0, Math.ceil(turns.length / 2))',
    replace: 'turns.slice(0, 1)',
  },
  {
    row: 'D7',
    name: 'D7: the budget remembers the reserve of the last call',
    file: 'src/core/prompt/budget.ts',
    find: `export function budgetFor(window: number, policy: Policy, thoughts = 0): Budget {
  const reserve = Math.min(policy.reserve + thoughts, Math.floor(window / 4));`,
    replace: `let last = 0;
export function budgetFor(window: number, policy: Policy, thoughts = 0): Budget {
  const reserve = Math.min(Math.max(last, policy.reserve + thoughts), Math.floor(window / 4));
  last = reserve;`,
  },
  {
    row: 'D8',
    name: 'D8: what was given beside a message is cleared before the next try',
    file: 'src/core/pruning/emergency.ts',
    find: `slice(Math.max(last, start)).reduce((now, item) => {
    const tokens = item.origin === 'result' ?`,
    replace: `slice(start).reduce((now, item, at) => {
    const tokens = item.origin === 'attachment' || (item.origin === 'result' && start + at >= last) ?`,
  },
  {
    row: 'E1',
    name: 'E1: an agent cannot switch the token counter for itself',
    file: 'src/settings/agents.ts',
    find: 'tokenCounter: said.tokenCounter ?? tokenCounter,',
    replace: 'tokenCounter,',
  },
  {
    row: 'E2',
    name: 'E2: half of what a prompt shares with the cache is decoded again',
    file: 'src/core/kv/kvPlan.ts',
    find: 'const keep = kept[0]?.to ?? 0;',
    replace: 'const keep = Math.floor((kept[0]?.to ?? 0) / 2);',
  },
  {
    row: 'E3',
    name: 'E3: turns go also where their summary failed',
    file: 'src/app/compaction/compactions.ts',
    find: '(written.mayFail && !written.cancelled ? task.entries : null)',
    replace: '(written.cancelled ? null : task.entries)',
  },
  {
    row: 'E4',
    name: 'E4: a model that failed is asked on',
    file: 'src/tokens/counter.ts',
    find: "return this.source === 'exact' ? this.answer(texts) : null;",
    replace: 'return this.answer(texts);',
  },
  {
    row: 'E5',
    name: 'E5: workspace texts reach their age after as many minutes as they should after seconds',
    file: 'src/workspace/cache.ts',
    find: 'age < maxAgeSeconds * 1000',
    replace: 'age < maxAgeSeconds * 60_000',
  },
  {
    row: 'E6',
    name: 'E6: a changed setting does not reach who has read them before',
    file: 'src/window/settings.ts',
    find: '    made.clear();\n',
    replace: '',
  },
];
