// Faults of a server that runs the model as facts, and one function that words each with advice.
import { count } from '../count.ts';

export type ServerProblem =
  | { readonly is: 'offline' }
  /** The settings name no address that may be used. */
  | { readonly is: 'badAddress'; readonly reason: string }
  | { readonly is: 'insecure'; readonly host: string }
  | { readonly is: 'notAllowed'; readonly host: string }
  | { readonly is: 'unreachable'; readonly host: string; readonly reason: string }
  | { readonly is: 'certificate'; readonly host: string; readonly reason: string }
  /** Seconds without an answer, or without anything that shows that it works on one. */
  | { readonly is: 'silent'; readonly host: string; readonly seconds: number }
  /** The connection ended within an answer. */
  | { readonly is: 'cut'; readonly host: string }
  | { readonly is: 'redirect'; readonly host: string; readonly to: string }
  /** 401 and 403. */
  | { readonly is: 'refused'; readonly host: string; readonly status: number }
  | { readonly is: 'missing'; readonly host: string; readonly path: string }
  | { readonly is: 'busy'; readonly host: string; readonly reason: string }
  | { readonly is: 'failed'; readonly host: string; readonly status: number; readonly reason: string }
  /** The server answers, but not as such a server does. */
  | { readonly is: 'notUnderstood'; readonly host: string; readonly reason: string }
  /** The server counted or wrote other tokens than it was asked about. */
  | { readonly is: 'otherTokens'; readonly host: string; readonly reason: string }
  | { readonly is: 'changed'; readonly host: string; readonly what: string }
  /** Tokens. */
  | { readonly is: 'endless'; readonly host: string; readonly tokens: number };

interface Said {
  readonly message: string;
  readonly advice: string;
}

const check = 'Check its address in tidemark.servers, and whether the server runs.';
const kept = 'What was written so far is kept.';

export function wordServer(problem: ServerProblem): Said {
  switch (problem.is) {
    case 'offline':
      return {
        message: 'The model runs on a server, and tidemark.network.offline is on.',
        advice: 'Turn it off, or set tidemark.engine to "local". Nothing was sent.',
      };
    case 'badAddress':
      return {
        message: `The server in tidemark.servers can't be used: ${problem.reason}.`,
        advice: 'Correct the setting. Nothing was sent.',
      };
    case 'insecure':
      return {
        message: `The address of ${problem.host} is not encrypted (http).`,
        advice: 'Use https, or allow it for this server with "insecure": true. Nothing was sent.',
      };
    case 'notAllowed':
      return {
        message: `You have not allowed code to be sent to ${problem.host}.`,
        advice: 'Try again to be asked once more, or set tidemark.engine to "local". Nothing was sent.',
      };
    case 'changed':
      return {
        message: `The server at ${problem.host} is not as it was: ${problem.what}.`,
        advice: 'Nothing was sent. Try again to use it as it is now.',
      };
    case 'refused':
      return {
        message: `The server at ${problem.host} refused access (${problem.status}).`,
        advice: 'Store its key with "Tidemark: Set the Key of a Server".',
      };
    case 'redirect':
      return {
        message: `The server at ${problem.host} redirects to ${problem.to}, which is not followed.`,
        advice: 'If that is the right place, enter it in tidemark.servers.',
      };
    case 'certificate':
      return {
        message: `The certificate of ${problem.host} can't be trusted: ${problem.reason}.`,
        advice:
          'If it is signed by an authority of your own, name that authority\'s file as "caFile" in tidemark.servers.',
      };
    default:
      return wordAnswer(problem);
  }
}

type AnswerProblem = Exclude<
  ServerProblem,
  { is: 'offline' | 'badAddress' | 'insecure' | 'notAllowed' | 'changed' | 'refused' | 'redirect' | 'certificate' }
>;

/** Words for a server that answers wrongly or not at all. */
function wordAnswer(problem: AnswerProblem): Said {
  const { host } = problem;
  switch (problem.is) {
    case 'unreachable':
      return { message: `The server at ${host} can't be reached: ${problem.reason}.`, advice: check };
    case 'silent':
      return {
        message: `The server at ${host} has not answered for ${problem.seconds} seconds.`,
        advice: `${kept} Try again, or look at the server.`,
      };
    case 'cut':
      return { message: `The connection to ${host} broke off.`, advice: `${kept} Continue, or try again.` };
    case 'missing':
      return {
        message: `The server at ${host} has no ${problem.path}.`,
        advice: `Check "url" and "kind" in tidemark.servers.`,
      };
    case 'busy':
      return {
        message: `The server at ${host} takes no requests now: ${problem.reason}.`,
        advice: 'Try again in a while.',
      };
    case 'failed':
      return {
        message: `The server at ${host} failed (${problem.status}): ${problem.reason}.`,
        advice: `${kept} Try again; if it keeps failing, look at the server's log.`,
      };
    case 'notUnderstood':
      return {
        message: `The answer of ${host} is not that of a server for models: ${problem.reason}.`,
        advice: `Check "url" and "kind" in tidemark.servers.`,
      };
    case 'otherTokens':
      return {
        message: `The server at ${host} works with other tokens than it was sent: ${problem.reason}.`,
        advice: 'Nothing of it is used. Set tidemark.engine to "local", or update the server.',
      };
    case 'endless':
      return {
        message: `The server at ${host} wrote more than ${count(problem.tokens)} tokens, the most that it was asked for.`,
        advice: `The answer was cut off there. ${kept}`,
      };
    default:
      return problem satisfies never;
  }
}
