import type { BulkOnboardType } from './onboarding.js';
import type { ProducerDetail } from './producer.js';

/** Producers on a page of operation 6. */
export const bulkDetailsPageSize = 50;

/** The most NPNs that operations 7, 12 and 13 take. */
export const maxNpnsPerRequest = 10_000;

/** Body of operation 7. */
export interface BulkOnboardRequest {
  /** 1–10,000 national producer numbers, as texts or numbers; duplicates count once. */
  npn: readonly (string | number)[];
  /** The action for each producer. */
  onboardType: BulkOnboardType;
}

/** Answer of operation 7. */
export interface BulkStart {
  /** A UUID, which operations 6 and 8 take. */
  id: string;
  /** One sentence for people. */
  message: string;
}

/** Answer of operation 8. While the job runs, only `totalCount` counts and the lists are empty. */
export interface BulkStatus {
  /** The UUID that operation 7 answered. */
  id: string;
  /** One sentence for people: try again shortly, or done. */
  message: string;
  /** All NPNs of the request, each once. */
  npns: string[];
  /** Those that failed. */
  failedNpns: string[];
  /** How many NPNs the request had, each once. */
  totalCount: number;
  /** How many were onboarded. */
  successCount: number;
  /** How many failed. */
  failureCount: number;
  /** One record for each that failed. */
  failureReason: BulkFailure[];
}

/** Why one NPN failed. */
export interface BulkFailure {
  /** Which one. */
  npn: string;
  /** Number of the error catalogue. */
  code: number;
  /** One sentence for people. */
  reason: string;
}

/** Query of operation 6. */
export interface BulkDetailsQuery {
  /** From 1. Default: 1. */
  page?: number;
}

/** Answer of operation 6. */
export interface BulkDetails {
  /** The UUID that operation 7 answered. */
  id: string;
  /** One sentence for people. */
  message: string;
  /** The page asked for. */
  currentPage: number;
  /** Producers on a full page. */
  pageSize: number;
  /** Producers in the report, which are not the NPNs of the request. */
  totalCount: number;
  /** Whether there is a page after this one. */
  hasNextPage: boolean;
  /** Whether there is a page before this one. */
  hasPreviousPage: boolean;
  /** The producers of this page, in the order of the request. */
  details: ProducerDetail[];
}
