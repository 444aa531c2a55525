// Faults of fetching a model as facts, and one function that words each with advice.
import { bytesInWords } from '../count.ts';

export type DownloadProblem =
  | { readonly is: 'offline' }
  /** The typed text names nothing that could be fetched. */
  | { readonly is: 'badSource'; readonly reason: string }
  | { readonly is: 'unreachable'; readonly host: string; readonly reason: string }
  | { readonly is: 'silent'; readonly host: string; readonly seconds: number }
  | { readonly is: 'cut'; readonly host: string }
  | { readonly is: 'changed'; readonly host: string; readonly name: string }
  /** 401 and 403. */
  | { readonly is: 'refused'; readonly host: string; readonly status: number }
  | { readonly is: 'missing'; readonly host: string; readonly name: string }
  | { readonly is: 'serverFailed'; readonly host: string; readonly status: number }
  | { readonly is: 'page'; readonly host: string; readonly name: string }
  | { readonly is: 'notGguf'; readonly host: string; readonly name: string; readonly found: string }
  /** With a content coding, although none was asked for: how much will come is not known. */
  | { readonly is: 'packed'; readonly host: string; readonly name: string; readonly coding: string }
  /** From an encrypted connection to one that is not. */
  | { readonly is: 'unsafe'; readonly host: string; readonly to: string }
  /** Bytes. `needed`: what is still to come, and some air. */
  | { readonly is: 'diskFull'; readonly folder: string; readonly needed: number; readonly free: number }
  | { readonly is: 'folder'; readonly folder: string; readonly reason: string }
  | { readonly is: 'nameTaken'; readonly folder: string; readonly name: string }
  | { readonly is: 'wrongSize'; readonly name: string; readonly expected: number; readonly got: number }
  | { readonly is: 'wrongHash'; readonly name: string; readonly expected: string; readonly got: string }
  | { readonly is: 'noQuantisation'; readonly repository: string; readonly wanted: string; readonly has: string };

export function wordDownload(problem: DownloadProblem): { readonly message: string; readonly advice: string } {
  switch (problem.is) {
    case 'offline':
      return {
        message: 'Downloads are off: tidemark.network.offline is on.',
        advice: 'Turn it off to download, or choose a model file that you already have.',
      };
    case 'badSource':
      return {
        message: `This is not the address of a model: ${problem.reason}.`,
        advice:
          'Write hf:owner/repository:Q4_K_M, hf:owner/repository/file.gguf, an address that ends in .gguf, or a path.',
      };
    case 'diskFull':
      return {
        message: `The disk of ${problem.folder} is full: ${bytesInWords(problem.needed)} are needed and ${bytesInWords(problem.free)} free.`,
        advice:
          'Make room, or set tidemark.models.folder to another disk. The partial download is kept and can be resumed.',
      };
    case 'folder':
      return {
        message: `${problem.folder} cannot be written: ${problem.reason.replace(/\.$/, '')}.`,
        advice: 'Choose another folder in tidemark.models.folder.',
      };
    case 'nameTaken':
      return {
        message: `${problem.folder} already has a ${problem.name} that is not this one.`,
        advice: 'Delete that one with "Tidemark: Get or Choose a Model", or set another tidemark.models.folder.',
      };
    case 'wrongSize':
    case 'wrongHash':
    case 'noQuantisation':
    case 'notGguf':
    case 'page':
      return wordContent(problem);
    default:
      return wordHost(problem);
  }
}

type ContentProblem = Extract<
  DownloadProblem,
  { is: 'wrongSize' | 'wrongHash' | 'noQuantisation' | 'notGguf' | 'page' }
>;

/** Words for a download whose content is not the wanted one. */
function wordContent(problem: ContentProblem): { readonly message: string; readonly advice: string } {
  switch (problem.is) {
    case 'page':
      return {
        message: `${problem.host} sent a web page instead of ${problem.name}.`,
        advice:
          'You may have to accept a license or sign in, or this is the address of a page. Open it in a browser. Nothing was kept.',
      };
    case 'notGguf':
      return {
        message: `What ${problem.host} sent as ${problem.name} is not a GGUF file: it starts with ${problem.found}.`,
        advice: 'Check the address. Nothing was kept.',
      };
    case 'wrongSize':
      return {
        message: `${problem.name} has ${bytesInWords(problem.got)} (${problem.got} bytes), but ${bytesInWords(problem.expected)} (${problem.expected} bytes) were announced.`,
        advice: 'It was deleted. Download it again, or from another place.',
      };
    case 'wrongHash':
      return {
        message: `${problem.name} is damaged or another file: its SHA-256 is ${problem.got}, but it should be ${problem.expected}.`,
        advice:
          'It was deleted, so that it is never loaded. Download it again. If it happens again, do not use this source.',
      };
    case 'noQuantisation':
      return {
        message: `${problem.repository} has no GGUF file for ${problem.wanted}.`,
        advice: problem.has === '' ? 'It has no GGUF files at all.' : `It has ${problem.has}.`,
      };
    default:
      return problem satisfies never;
  }
}

type ServerProblem = Extract<
  DownloadProblem,
  { is: 'unreachable' | 'silent' | 'cut' | 'changed' | 'refused' | 'missing' | 'serverFailed' | 'packed' | 'unsafe' }
>;

function wordHost(problem: ServerProblem): { readonly message: string; readonly advice: string } {
  const kept = 'Anything downloaded so far is kept.';
  switch (problem.is) {
    case 'unreachable':
      return {
        message: `${problem.host} cannot be reached (${problem.reason}).`,
        advice: `Check the network and the proxy settings, or name a mirror in tidemark.network.huggingFace. ${kept}`,
      };
    case 'silent':
      return {
        message: `${problem.host} sent nothing for ${problem.seconds} seconds.`,
        advice: `Try again later. ${kept}`,
      };
    case 'cut':
      return { message: `${problem.host} cut the connection.`, advice: `Try again later. ${kept}` };
    case 'changed':
      return {
        message: `${problem.name} has changed at ${problem.host} meanwhile.`,
        advice: 'The download starts over.',
      };
    case 'refused':
      return {
        message: `${problem.host} denied access (${problem.status}).`,
        advice: 'You may have to accept a license or sign in. Download the file with a browser, then choose it here.',
      };
    case 'missing':
      return { message: `${problem.host} has no ${problem.name}.`, advice: 'Check the name, or choose another model.' };
    case 'serverFailed':
      return { message: `${problem.host} failed (${problem.status}).`, advice: `Try again later. ${kept}` };
    case 'packed':
      return {
        message: `${problem.host} sends ${problem.name} packed (${problem.coding}), although it was asked not to.`,
        advice: 'Nothing was kept. Use another address, or download it with a browser and choose the file here.',
      };
    case 'unsafe':
      return {
        message: `${problem.host} redirects to ${problem.to}, which is not encrypted.`,
        advice: 'Nothing was fetched from there. Use another address.',
      };
    default:
      return problem satisfies never;
  }
}
