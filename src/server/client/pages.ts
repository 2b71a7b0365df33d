import type { OperationId } from '../../contract/index.js';
import { BridgeClientError } from './bridge-client-error.js';

/** One page of a list. */
export interface Page<Item> {
  items: readonly Item[];
  /** As the host tells it; 0 when it does not. */
  currentPage: number;
  hasNextPage: boolean;
}

/** Goes through all items, reading a page only when somebody asks for its first item. */
export async function* walkPages<Item>(
  operation: OperationId,
  readPage: (page: number) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for (let page = 1; ; page += 1) {
    const { items, currentPage, hasNextPage } = await readPage(page);
    // A host that overlooks `page` would answer with its first one for ever.
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
