import type { CDPSession, Page } from 'playwright-core';

/** What is alive in the process of a page, after everything that nobody holds was collected. */
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

/** What counts in a page. */
export interface Counter {
  count(): Promise<Counts>;
}

/** Creates the counter of a page that knows `<licensing-apply>`. */
export async function createCounter(page: Page): Promise<Counter> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.enable');
  return {
    async count() {
      // What one collection lets go of may be what held something else: wrappers of nodes need up to three.
      for (let round = 0; round < 4; round += 1) {
        await devtools.send('HeapProfiler.collectGarbage');
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      }
      const { nodes, jsEventListeners, documents } = await devtools.send('Memory.getDOMCounters');
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
  // What is asked for by a group is let go of with it: the question itself must not keep anything alive.
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
