import { bulkDetailsPageSize } from '../../../contract/index.js';
import type { DoneBatch } from '../../store/producers/bulk-store.js';

/** Where the producers of a page are. */
export interface BulkPage {
  /** Producers on all pages. */
  totalCount: number;
  /** The batches with the producers of this page. None past the last page. */
  numbers: number[];
  /** How many producers of those batches belong to the page before. */
  skipped: number;
}

/** Finds the batches that a page of the report shows. A page then costs the same wherever it is. */
export function batchesOnPage(batches: readonly DoneBatch[], page: number): BulkPage {
  const first = (page - 1) * bulkDetailsPageSize;
  const numbers: number[] = [];
  let totalCount = 0;
  let skipped = 0;
  for (const { number, successCount } of batches) {
    const end = totalCount + successCount;
    if (end > first && totalCount < first + bulkDetailsPageSize) {
      if (numbers.length === 0) skipped = first - totalCount;
      numbers.push(number);
    }
    totalCount = end;
  }
  return { totalCount, numbers, skipped };
}
