import { producer } from './producer-reader.js';
import { anyFlag, anyList, anyNumber, anyText, flag, list, maybe, number, object, text, texts } from './values.js';

/** What every page says of itself. Without `hasNextPage` a loop over the pages would end too early. */
const page = {
  currentPage: anyNumber,
  pageSize: anyNumber,
  totalCount: anyNumber,
  hasNextPage: flag,
  hasPreviousPage: anyFlag,
};

/** Reads the answer of operation 6. */
export const bulkDetails = object({ ...texts('id', 'message'), ...page, details: list(producer) });

/** Reads the answer of operation 8. While the job runs, a host may tell the two counts and nothing else. */
export const bulkStatus = object({
  ...texts('id', 'message'),
  npns: anyList(text),
  failedNpns: anyList(text),
  totalCount: anyNumber,
  successCount: number,
  failureCount: number,
  failureReason: anyList(object({ npn: text, code: maybe(number), reason: maybe(text) })),
});

const loa = object(texts('code', 'name', 'residencyType'));

const territory = object({
  id: text,
  name: anyText,
  states: anyList(
    object({
      stateCode: text,
      licenses: anyList(object({ ...texts('licenseClass', 'licenseClassCode'), loas: anyList(loa) })),
    }),
  ),
  assignedProducers: anyList(object(texts('firstName', 'lastName', 'npn'))),
});

/** Reads the answer of operation 16. */
export const territoryList = object({ message: anyText, data: object({ ...page, territories: list(territory) }) });
