// A mirror of Hugging Face with one file in every repository: its list, the hash before it leads on, and the file somewhere else.
import { type Answer, type FileServer, good, startFileServer } from './fileServer.ts';

export interface FakeHub {
  readonly server: FileServer;
  /** Answers with the file's content; the list and the redirect are always quick. */
  place: Answer;
  /** Requests of any kind. */
  readonly asked: string[];
}

export async function startFakeHub(file: Buffer, name: string): Promise<FakeHub> {
  const server = await startFileServer(file);
  const hub: FakeHub = { server, place: good(), asked: [] };
  server.answer = (request, response, served) => {
    const url = request.url ?? '';
    hub.asked.push(`${request.method} ${url}`);
    if (url.startsWith('/lies-here/')) return hub.place(request, response, served);
    served.gets -= request.method === 'GET' ? 1 : 0;
    if (url.startsWith('/api/models/')) {
      const listed = { type: 'file', path: name, size: file.length, lfs: { oid: served.sha256, size: file.length } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([listed]));
      return;
    }
    const told = { 'x-linked-etag': `"${served.sha256}"`, 'x-linked-size': String(file.length) };
    response.writeHead(302, { location: `/lies-here/${name}`, ...told }).end();
  };
  return hub;
}
