/** For how many days answers count as given, and a user who begins again goes on where they were. */
export const answersAgeDays = 90;

/** The same in milliseconds. */
export const answersAgeMs = answersAgeDays * 24 * 3_600_000;
