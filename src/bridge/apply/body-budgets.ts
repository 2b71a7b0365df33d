import type { Mode } from '../../contract/index.js';
import { type BodyBudget, createBodyBudget } from '../domain/limits/body-budget.js';
import { inputLimits } from '../domain/limits/limits.js';

/**
 * The memory of the bodies of the hosted application. Uploads of test mode have a budget of their
 * own, and forms too, because the link of a form is not checked before the form is counted.
 */
export interface ApplyBudgets {
  forms: BodyBudget;
  documents: Record<Mode, BodyBudget>;
}

/**
 * The number of copies of a document in memory: its pieces and the whole, then the whole and its
 * ciphertext.
 */
export const documentCopies = 2;

/** Bytes of a form besides its file. */
export const uploadFrameBytes = 16 * 1_024;

/** Creates the budgets of an instance. */
export function createApplyBudgets(): ApplyBudgets {
  const { formsInMemoryBytes, documentsInMemoryBytes, testDocumentsInMemoryBytes, documentBytes } = inputLimits;
  const documents = (all: number) =>
    createBodyBudget({
      all,
      agency: all / 2,
      address: all / 2,
      // The largest document: an application needs one at a time.
      application: documentCopies * (documentBytes.max + uploadFrameBytes),
    });
  return {
    forms: createBodyBudget({ all: formsInMemoryBytes.max, address: formsInMemoryBytes.max / 4 }),
    documents: { live: documents(documentsInMemoryBytes.max), test: documents(testDocumentsInMemoryBytes.max) },
  };
}
