// The parts of a window that hear what its engines tell besides their answers.
import type * as vscode from 'vscode';
import type { ModelLife } from '../app/model/modelLife.ts';
import { wordFault } from '../core/faults/faults.ts';
import type { EngineClient } from '../engine/client.ts';
import type { LoadedEmbedding } from '../host/finding/embedding.ts';
import type { EditorFinding } from '../host/finding/finding.ts';
import type { WindowConversations } from './conversations.ts';

export interface EngineHearers {
  readonly open: WindowConversations;
  readonly finding: EditorFinding;
  readonly embedding: LoadedEmbedding;
}

interface HeardEngine {
  readonly engine: EngineClient;
  readonly life: ModelLife;
  /** The process of the main one has the embedding model. */
  readonly isMain: boolean;
}

/** Has the parts hear an engine. All engines of a window go to the same function, because it counts those at work. */
export function hearEngines(
  { open, finding, embedding }: EngineHearers,
  log: vscode.OutputChannel,
): (heard: HeardEngine) => void {
  /** All engines that have something to do. */
  const working = new Set<EngineClient>();
  return ({ engine, life, isMain }) => {
    engine.planned.subscribe((memory) => life.planned(memory));
    engine.loading.subscribe((progress) => life.progress(progress));
    engine.quiet.subscribe((seconds) => life.quiet(seconds));
    engine.narrowed.subscribe((window) => life.narrowed(window));
    engine.working.subscribe((busy) => {
      if (busy) working.add(engine);
      else working.delete(engine);
      finding.hold(working.size > 0);
      embedding.busy(working.size > 0);
    });
    engine.crashed.subscribe((fault) => {
      working.delete(engine);
      if (isMain) embedding.forget();
      log.appendLine(wordFault(fault).message);
      void life.crashed(fault).then(() => {
        for (const { view, ready } of open.chats) if (view.snapshot.engine.state === 'ready') void ready.open();
      });
    });
  };
}
