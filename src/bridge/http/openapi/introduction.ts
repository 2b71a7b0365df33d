/** What holds for every operation, once. */
export const introduction = `Agencies use this service to onboard insurance producers, read their licensing data, keep subscriptions and territories,
and start license applications that the producer finishes on a hosted page.

**Access.** Log in with a client id and one of its two secrets. The secret decides the mode of the token, live or test, and
each mode sees only its own data. Send the token as a bearer token.

**Bodies.** JSON in both directions, at most 1 MiB per request. A key that is not described is refused with 400, as is a
missing body. A query parameter that is not described is ignored, and so is a body that is not asked for.

**Failures.** Every failure, whatever the route, is an \`ErrorBody\`. A path that does not exist answers 404, a method that a
path does not have answers 405. What belongs to another agency, or to the other mode, is answered as if it were not there:
404, or 400 on operations without a 404. Once an agency is deactivated, its logins are 401; a token that it still holds is
answered with 403 where an operation lists that status, with 401 elsewhere.

**Request ids.** Every answer, a failure as well, carries an \`x-request-id\`.

**Rate.** One token may make 600 requests a minute by default. More than that is 429 with \`Retry-After\`.

**NPN.** A national producer number has 1 to 10 digits and is not zero. Requests may send it as a string or as a whole number,
with or without leading zeros; answers always hold a string without them.

**Dates and gaps.** Timestamps of the bridge itself are ISO 8601 in UTC. Dates within producer data are written
month/day/year. A producer field without a value is an empty string, never null and never left out.

The operations of Sessions are early access.
`;
