import type { OperationId } from '../../contract/index.js';
import { BridgeClientError } from './bridge-client-error.js';

/** One page of a list. */
export interface Page<Item> {
  items: readonly Item[];
  /** From 1; 0 when the host does not say. */
  currentPage: number;
  hasNextPage: boolean;
}

/** Iterates over all items. A page is read when its first item is asked for. */
export async function* iteratePages<Item>(
  operation: OperationId,
  readPage: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { items, currentPage, hasNextPage } = await readPage(page);
    // A host that ignores `page` would answer with its first one for ever.
    if (currentPage !== 0 && currentPage !== page) {
      throw new BridgeClientError({
        code: 'unreadable',
        operation,
        message: `${operation}: asked for page ${String(page)} and got page ${String(currentPage)}.`,
        retryable: false,
      });
    }
    yield* items;
    if (!hasNextPage || items.length === 0) return;
  }
}
