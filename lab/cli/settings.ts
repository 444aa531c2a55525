// The settings of a conversation on the command line: those of an editor, from its files, or the defaults.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { Agent } from '../../src/core/agent/agent.ts';
import type { SeededSampling } from '../../src/core/model/sampling.ts';
import { isRecord } from '../../src/core/record.ts';
import { type Configuration, isOfMachine } from '../../src/settings/removed.ts';
import { type Settings, settingsOf, valuesIn } from '../../src/settings/settings.ts';
import { say } from './say.ts';

type Said = Readonly<Record<string, unknown>>;

/** Returns the settings of an agent by its name, or of the one that is set, with parts of it replaced. Says on stderr what is wrong in them. */
export function settingsFor(configuration: Configuration, name: string | null, parts: Partial<Agent> = {}): Settings {
  const complain = (words: string) => say(words, process.stderr);
  const settings = settingsOf(valuesIn(configuration, complain), name, complain);
  return { ...settings, chat: { ...settings.chat, agent: { ...settings.chat.agent, ...parts } } };
}

/** The defaults, with parts of the agent replaced, and drawing as a bench wants it. */
export function defaultSettings(parts: Partial<Agent> = {}, sampling?: SeededSampling): Settings {
  const settings = settingsFor(configurationOf(), null, parts);
  return sampling === undefined ? settings : { ...settings, chat: { ...settings.chat, sampling } };
}

/** The user's settings in an editor's folder, and those of the workspace, each in a JSON file with comments. `given`: what counts in their place. */
export function configurationIn(folder: string, workspace: string, given: Said): Configuration {
  const own = settingsAt(join(folder, 'settings.json'));
  return configurationOf({ ...own, ...given }, settingsAt(join(workspace, '.vscode', 'settings.json')));
}

/** Full names of settings with their values; without any: the defaults. */
export function configurationOf(own: Said = {}, foreign: Said = {}): Configuration {
  const inspect = (key: string) => {
    const workspaceValue = isOfMachine(key) ? undefined : foreign[`tidemark.${key}`];
    return { globalValue: own[`tidemark.${key}`], workspaceValue };
  };
  const get = (key: string) => inspect(key).workspaceValue ?? inspect(key).globalValue;
  return { isTrusted: true, inspect, get };
}

/** Nothing is set where there is no file. Throws where it is no JSON object. */
function settingsAt(path: string): Said {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return {};
  }
  const errors: ParseError[] = [];
  const said: unknown = parse(text, errors, { allowTrailingComma: true });
  const [wrong] = errors;
  if (wrong !== undefined) throw new Error(`${path}: ${printParseErrorCode(wrong.error)} at ${wrong.offset}`);
  return isRecord(said) ? said : {};
}
