import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Comparison } from '../report.js';
import { summarise } from '../rounds.js';
import { startChild, type Child } from './child.js';
import type { WebhookPath } from './partner.js';
import type { Announcement, Answers } from './usage.js';

const streams = 1_000;
/** A user may have 20. */
const slowStreams = 20;

type Server = Child<Announcement & { paths?: WebhookPath[] }>;

/**
 * The memory of a thousand open streams, in new processes, compared with a bare `node:http` with as
 * many, after garbage collection.
 */
export async function compareStreams(rounds: number): Promise<Comparison[]> {
  const [ours, bare]: [Answers['memory'][], Answers['memory'][]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await memoryOfStreams('ours'));
    bare.push(await memoryOfStreams('node'));
  }
  const compare = (what: string, kind: keyof Answers['memory']): Comparison => ({
    what,
    unit: 'kB',
    ours: summarise(
      'ours',
      ours.map((memory) => memory[kind]),
    ),
    reference: summarise(
      'node',
      bare.map((memory) => memory[kind]),
    ),
    target: undefined,
  });
  return [
    compare('heap of an open stream: bare node:http', 'heap'),
    compare('resident memory of an open stream: bare node:http', 'rss'),
  ];
}

/**
 * Twenty streams whose readers read nothing, after 3,000 changes of 5 kB, which fill every buffer,
 * and after 6,000.
 */
export async function compareSlowReaders(rounds: number): Promise<Comparison> {
  const [filled, later]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const server: Server = await startChild('streaming', 'ours');
    try {
      const sockets = await openStreams(server, slowStreams);
      for (const socket of sockets) socket.pause();
      await server.ask('change');
      filled.push((await server.ask('memory')).heap / 1_000);
      await server.ask('change');
      later.push((await server.ask('memory')).heap / 1_000);
      for (const socket of sockets) socket.destroy();
    } finally {
      await server.stop();
    }
  }
  return {
    what: `heap with ${slowStreams} readers that do not read, after 6,000 changes: after 3,000`,
    unit: 'kB',
    ours: summarise('later', later),
    reference: summarise('filled', filled),
    target: undefined,
  };
}

async function memoryOfStreams(name: string): Promise<Answers['memory']> {
  const server: Server = await startChild('streaming', name);
  try {
    // The first streams also load and compile code.
    for (const socket of await openStreams(server, 100)) socket.destroy();
    const before = await server.ask('memory');
    const sockets = await openStreams(server, streams);
    const after = await server.ask('memory');
    for (const socket of sockets) socket.destroy();
    return { heap: (after.heap - before.heap) / streams / 1_000, rss: (after.rss - before.rss) / streams / 1_000 };
  } finally {
    await server.stop();
  }
}

/** Opens streams. Resolves when each has received its first event. */
async function openStreams({ announced }: Server, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(announced.url);
  const { paths = [{ applicationId: 'app_1', userId: 'usr_1' }] } = announced;
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      // Twenty for each user.
      const { applicationId, userId } = paths[Math.floor(index / 20) % paths.length] ?? {
        applicationId: '',
        userId: '',
      };
      const head = [
        `GET /licensing/applications/${applicationId}/events HTTP/1.1`,
        'host: localhost',
        `x-user: ${userId}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      let text = '';
      while (!text.includes('event: application')) text += ((await once(socket, 'data')) as [Buffer])[0].toString();
      return socket;
    }),
  );
}
