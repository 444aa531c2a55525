// The settings of a conversation on the command line: the defaults of the editor.
import type { ChatSettings } from '../app/ports/conversationPorts.ts';
import { type Agent, defaultAgent } from '../core/agent/agent.ts';
import { defaultRetrieval } from '../core/prompt/knowledge.ts';

export function defaultSettings(agent: Partial<Agent> = {}): ChatSettings {
  return {
    agent: { ...defaultAgent, retrieval: defaultRetrieval, ...agent },
    sampling: { temperature: null, topK: null, topP: null, minP: null, repeatPenalty: null, seed: null },
    warm: false,
    reuse: 'auto',
    settleMilliseconds: 0,
    snapshotBytes: 0,
    leaseMilliseconds: 0,
    summaryTries: 0,
    memory: true,
    toolsOff: [],
  };
}
