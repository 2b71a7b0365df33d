import { createHash, randomBytes } from 'node:crypto';

/** A signed-in user of the partner's site. */
export interface Visitor {
  /** The partner's own id for the user, which the bridge hears. */
  userId: string;
  /** What the partner knows already, so that the user need not type it again. Sample data. */
  profile: typeof profile;
}

const cookieName = 'wren_alder_visitor';

const profile = {
  npn: '9000000001',
  firstName: 'Avery',
  lastName: 'Sample',
  email: 'avery.sample@example.com',
  phone: '503-555-0142',
  dateOfBirth: '1988-04-12',
  residentialAddress: { street: '100 Example Street', city: 'Sampleton', state: 'OR', zip: '97000' },
} as const;

/** Who the cookie says it is, or null. A real site asks its session store here. */
export function visitorOf(request: Request): Visitor | null {
  const session = new RegExp(`(?:^|; )${cookieName}=([\\w-]{22})(?:;|$)`).exec(
    request.headers.get('cookie') ?? '',
  )?.[1];
  if (!session) return null;
  // Not the cookie itself: the user's id travels to the bridge and back, the session's secret must not.
  return { userId: `usr_${createHash('sha256').update(session).digest('hex').slice(0, 12)}`, profile };
}

/** Signs a new visitor in. */
export function newVisitorCookie(): string {
  return `${cookieName}=${randomBytes(16).toString('base64url')}; Path=/; HttpOnly; SameSite=Lax`;
}
