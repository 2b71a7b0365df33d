import type { BulkOnboardType } from './onboarding.js';
import type { ProducerDetail } from './producer.js';

/** Producers on a page of getBulkDetails (operation 6). */
export const bulkDetailsPageSize = 50;

/** The maximum number of NPNs of operations 7, 12 and 13. */
export const maxNpnsPerRequest = 10_000;

/** Body of startBulkOnboarding (operation 7). */
export interface BulkOnboardRequest {
  /** 1–10,000 national producer numbers, as texts or numbers; duplicates count once. */
  npn: readonly (string | number)[];
  /** The action for each producer. */
  onboardType: BulkOnboardType;
}

/** Response of startBulkOnboarding (operation 7). */
export interface BulkStart {
  /** A UUID for operations 6 and 8. */
  id: string;
  /** A sentence for people. */
  message: string;
}

/**
 * Response of getBulkStatus (operation 8). While the job runs, only `totalCount` counts and the
 * lists are empty.
 */
export interface BulkStatus {
  /** The UUID that startBulkOnboarding (operation 7) returned. */
  id: string;
  /** One sentence for people: try again shortly, or done. */
  message: string;
  /** All NPNs of the request, each once. */
  npns: string[];
  /** The failed NPNs. */
  failedNpns: string[];
  /** The number of distinct NPNs in the request. */
  totalCount: number;
  /** The number of onboarded NPNs. */
  successCount: number;
  /** The number of failed NPNs. */
  failureCount: number;
  /** One record per failed NPN. */
  failureReason: BulkFailure[];
}

/** The failure of one NPN. */
export interface BulkFailure {
  /** The NPN. */
  npn: string;
  /** The number in the error catalogue. */
  code: number;
  /** A sentence for people. */
  reason: string;
}

/** Query of getBulkDetails (operation 6). */
export interface BulkDetailsQuery {
  /** From 1. Default: 1. */
  page?: number;
}

/** Response of getBulkDetails (operation 6). */
export interface BulkDetails {
  /** The UUID that startBulkOnboarding (operation 7) returned. */
  id: string;
  /** A sentence for people. */
  message: string;
  /** The requested page. */
  currentPage: number;
  /** The number of producers on a full page. */
  pageSize: number;
  /** The number of producers in the report, which is not the number of NPNs in the request. */
  totalCount: number;
  /** Whether there is a page after this one. */
  hasNextPage: boolean;
  /** Whether there is a page before this one. */
  hasPreviousPage: boolean;
  /** The producers of this page, in the order of the request. */
  details: ProducerDetail[];
}
