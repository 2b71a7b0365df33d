import type { CDPSession, Page } from 'playwright-core';

/** The live objects in the process of a page after garbage collection. */
export interface Counts {
  nodes: number;
  listeners: number;
  documents: number;
  elements: number;
  frames: number;
  ports: number;
  channels: number;
  heapBytes: number;
}

type DomCounters = Record<'nodes' | 'jsEventListeners' | 'documents', number>;

/** The pause between two collections, for messages of other processes. */
const pauseMs = 50;

/** The counter of a page. */
export interface Counter {
  count(): Promise<Counts>;
}

/** Creates the counter of a page with `<licensing-apply>`. */
export async function createCounter(page: Page): Promise<Counter> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.enable');

  /**
   * Collects until nothing more is released: wrappers of nodes need up to three rounds, and so does
   * a frame of another process.
   */
  async function collected(): Promise<DomCounters> {
    let counters: DomCounters = { nodes: 0, jsEventListeners: 0, documents: 0 };
    for (let same = 0; same < 4;) {
      await devtools.send('HeapProfiler.collectGarbage');
      await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), pauseMs);
      const now = await devtools.send('Memory.getDOMCounters');
      same = JSON.stringify(now) === JSON.stringify(counters) ? same + 1 : 0;
      counters = now;
    }
    return counters;
  }

  return {
    async count() {
      const { nodes, jsEventListeners, documents } = await collected();
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      const instances = (prototype: string) => countInstances(devtools, prototype);
      return {
        nodes,
        listeners: jsEventListeners,
        documents,
        elements: await instances(`customElements.get('licensing-apply').prototype`),
        frames: await instances('HTMLIFrameElement.prototype'),
        ports: await instances('MessagePort.prototype'),
        channels: await instances('BroadcastChannel.prototype'),
        heapBytes: usedSize,
      };
    },
  };
}

async function countInstances(devtools: CDPSession, prototype: string): Promise<number> {
  // The results belong to an object group that is released, so that the measurement keeps nothing
  // alive.
  const objectGroup = 'count';
  const { result } = await devtools.send('Runtime.evaluate', { expression: prototype, objectGroup });
  const { objects } = await devtools.send('Runtime.queryObjects', {
    prototypeObjectId: result.objectId ?? '',
    objectGroup,
  });
  const { result: length } = await devtools.send('Runtime.callFunctionOn', {
    functionDeclaration: 'function () { return this.length; }',
    objectId: objects.objectId ?? '',
    returnByValue: true,
  });
  await devtools.send('Runtime.releaseObjectGroup', { objectGroup });
  return length.value as number;
}
