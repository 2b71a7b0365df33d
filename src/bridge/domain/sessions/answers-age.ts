/** How old answers may be to count as given: 90 days. */
export const answersAgeMs = 90 * 24 * 3_600_000;
