// Makes the sources that tell an editor window's conversations of its folders: files, what is open, what is found, how many tokens it takes.
import type * as vscode from 'vscode';
import type { ModelLife } from '../app/model/modelLife.ts';
import { modelAgent } from '../core/agent/modelAgent.ts';
import type { EngineClient } from '../engine/client.ts';
import { editorWorkspace } from '../host/editor/editorWorkspace.ts';
import { createFinding } from '../host/finding/findingParts.ts';
import { createMentions } from '../host/mentions/mentions.ts';
import { createWorkspaceContext } from '../host/mentions/workspaceContext.ts';
import type { Settings } from '../settings/settings.ts';
import { createEstimator } from '../tokens/estimate.ts';
import { createCounter } from './counter.ts';
import { createShell } from './shell.ts';

interface SourcesBase {
  readonly engine: EngineClient;
  readonly life: ModelLife;
  /** Has a model as soon as any engine has. */
  readonly anyLoaded: Pick<ModelLife, 'loaded'>;
  readonly settings: () => Settings;
}

export function createSources(extension: vscode.ExtensionContext, log: vscode.OutputChannel, base: SourcesBase) {
  const { engine, life, anyLoaded, settings } = base;
  const workspace = editorWorkspace();
  const estimator = createEstimator();
  const counter = createCounter(engine, life, estimator, () => settings().tokenCounter);
  const { finding, embedding } = createFinding(extension, log, { workspace, engine, life: anyLoaded, settings });
  const fingerprint = () => life.loaded?.fingerprint ?? null;
  // The pocket model was trained without.
  const mapped = async () => (modelAgent(life.loaded?.name)?.looksUp === false ? null : finding.map());
  const wanted = () => settings().workspaceContext;
  const workspaceContext = createWorkspaceContext(workspace, counter, wanted, fingerprint, mapped);
  const mentions = createMentions(workspace, (typed) => finding.symbols(typed));
  const shell = createShell(extension, { workspace, finding, settings });
  return { workspace, shell, estimator, counter, finding, embedding, workspaceContext, mentions };
}
