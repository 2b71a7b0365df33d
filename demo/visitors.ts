import { createHash, randomBytes } from 'node:crypto';

/** A signed-in user of the partner's site. */
export interface Visitor {
  /** The partner's own id for the user, which the bridge hears. */
  userId: string;
  /** What the partner knows already, so that the user need not type it again. Invented, like everybody here. */
  profile: typeof profile;
}

const cookieName = 'wren_alder_visitor';

const profile = {
  npn: '10482217',
  firstName: 'Dana',
  lastName: 'Rowan',
  email: 'dana.rowan@example.com',
  phone: '503-555-0142',
  dateOfBirth: '1988-04-17',
  residentialAddress: { street: '218 Alder Street', city: 'Portland', state: 'OR', zip: '97205' },
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
