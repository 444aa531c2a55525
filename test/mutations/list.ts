// Mutations: mistakes one could make in the projection and at the borders. Each must turn a test red.
import { securityMutations } from './security.ts';

export interface Mutation {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** What must turn red, where it is not a test of the core. */
  readonly tests?: string;
}

export const mutations: readonly Mutation[] = [
  {
    name: 'the glue row is dropped from the report',
    file: 'src/core/report/report.ts',
    find: "add('glue', fitted.measure.glue);",
    replace: '',
  },
  {
    name: 'one result more than wanted is kept at the stub crossing',
    file: 'src/core/pruning/clearEarlier.ts',
    find: 'results.length - room.policy.keepRecentToolResults',
    replace: 'results.length - room.policy.keepRecentToolResults - 1',
  },
  {
    name: 'a cleared directive stays at the tail',
    file: 'src/core/pruning/projection.ts',
    find: "if (!held.cleared.has(item.id)) extend('any'",
    replace: "extend('any'",
  },
  {
    name: 'a dropped turn leaves its last item behind',
    file: 'src/core/pruning/dropTurns.ts',
    find: '{ from: start, to: end,',
    replace: '{ from: start, to: end - 1,',
  },
  {
    name: 'a trim ends just below high water instead of at low water',
    file: 'src/core/pruning/trim.ts',
    find: 'measure.total - low, at',
    replace: 'measure.total - high, at',
  },
  {
    name: 'an item is appended twice',
    file: 'src/core/dialog/dialog.ts',
    find: 'path: path.concat(item)',
    replace: 'path: path.concat(item, item)',
  },
  {
    name: 'what was let go is forgotten with the next prompt',
    file: 'src/core/pruning/held.ts',
    find: 'return runs.length === held.runs.length ? held : { ...held, runs };',
    replace: 'return { ...nothingHeld, runs };',
  },
  {
    name: 'a result may be twice as large as its cap',
    file: 'src/core/pruning/capResults.ts',
    find: 'if (tokens <= cap) continue;',
    replace: 'if (tokens <= 2 * cap) continue;',
  },
  {
    name: 'the node that only chooses sees earlier tool records',
    file: 'src/core/pruning/projection.ts',
    find: "return record && earlier && node.earlierRecords === 'withheld';",
    replace: 'return false;',
  },
  {
    name: 'a pin does not hold a tool result',
    file: 'src/core/pruning/strategy.ts',
    find: 'if (held.cleared.has(item.id) || room.marks.pinned.has(item.id)) return 0;',
    replace: 'if (held.cleared.has(item.id)) return 0;',
  },
  {
    name: 'dropped runs have no decision',
    file: 'src/core/report/decisions.ts',
    find: '...items, ...held.runs.map(runDecision)',
    replace: '...items',
  },
  {
    name: 'a full context is not tried again',
    file: 'src/core/turn/callModel.ts',
    find: "if (faultOf(error).kind !== 'doesNotFit') throw error;",
    replace: 'throw error;',
  },
  {
    name: 'a crossing need not pay',
    file: 'src/core/pruning/trim.ts',
    find: 'return Math.ceil((again - freed) / 2);',
    replace: 'return 0;',
  },
  {
    name: 'a repeated call runs again',
    file: 'src/core/turn/callTools.ts',
    find: 'const head = earlier.get(callKey(call));',
    replace: 'const head = earlier.get(call.id);',
  },
  {
    name: 'an evicted item stays',
    file: 'src/core/pruning/fitPrompt.ts',
    find: 'readonly Strategy[] = [evict, capMessages];',
    replace: 'readonly Strategy[] = [capMessages];',
  },
  {
    name: 'turns are dropped although they should be folded',
    file: 'src/core/pruning/foldTurns.ts',
    find: 'if (room.foldId === null) return dropTurns(room, held, excess);',
    replace: 'return dropTurns(room, held, excess);',
  },
  {
    name: 'a checkpoint forgets the one before it',
    file: 'src/core/pruning/foldTurns.ts',
    find: 'merge(previous?.checkpoint.entries ?? [],',
    replace: 'merge([],',
  },
  {
    name: 'a checkpoint may outgrow its share',
    file: 'src/core/pruning/trim.ts',
    find: 'now.held.fold?.id === now.room.foldId && now.room.state.tokens > now.room.state.cap',
    replace: 'now.held.fold?.id === undefined',
  },
  {
    name: 'an earlier fold does not stand again where its successor is branched off',
    file: 'src/core/compaction/fold.ts',
    find: 'now = now.previous;',
    replace: 'now = null;',
  },
  {
    name: 'a summariser may drop what binds',
    file: 'src/core/compaction/audit.ts',
    find: 'binding.includes(entry.section) && !survives(entry, entries)',
    replace: 'false',
  },
  {
    name: 'a tool result may approve',
    file: 'src/core/compaction/audit.ts',
    find: 'usersOnly.includes(entry.section) && !isUsers(entry, sources, must)',
    replace: 'false',
  },
  {
    name: 'what was generated is not known again',
    file: 'src/core/kv/kvPlan.ts',
    find: "if (last?.of?.key !== '') return held;",
    replace: 'if (last !== null) return held;',
  },
  {
    name: 'what the template writes at a seam is not compared',
    file: 'src/core/kv/kvPlan.ts',
    find: 'rest <= match.glue.length && beginsWith(glue.slice(begun), match.glue.slice(match.glue.length - rest))',
    replace: 'rest <= match.glue.length',
  },
  {
    name: 'a slot looks for a segment only where it goes on',
    file: 'src/core/kv/kvPlan.ts',
    find: 'if (link.of.key !== of.key) continue;',
    replace: 'if (link.of.key !== of.key) return -1;',
  },
  {
    name: 'what the template writes does not count as decoded again',
    file: 'src/core/kv/kvBreak.ts',
    find: '(sameTokens(there.glue, glue) ? glue.length : 0)',
    replace: '0',
  },
  {
    name: 'a cleared directive is said to be a dropped turn',
    file: 'src/core/report/breaks.ts',
    find: 'return cleared !== undefined || isWithheld',
    replace: 'return isWithheld',
  },
  {
    name: 'an early crossing takes the last finished turn',
    file: 'src/core/pruning/fitPrompt.ts',
    find: 'new Set(marks.pinned).add(last)',
    replace: 'marks.pinned',
  },
  {
    name: 'one long turn takes the room of the next ones',
    file: 'src/core/turn/cache.ts',
    find: 'grown.slice(-lookBack)',
    replace: 'grown',
  },
  {
    name: 'the window follows what happens to be free',
    file: 'src/core/machine/memoryPlan.ts',
    find: 'windowWithin(model, wanted);',
    replace: 'windowWithin(model, { ...wanted, allowed: wanted.allowed ?? wanted.free.ram });',
  },
  {
    name: 'conversations are kept beyond the memory',
    file: 'src/core/machine/memoryPlan.ts',
    find: 'if (needed.ram <= ram && needed.gpu <= free.gpu) return plan(conversations);',
    replace: 'return plan(conversations);',
  },
  ...securityMutations,
];
