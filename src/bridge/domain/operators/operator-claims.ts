/** The name, the role and the agencies of an operator, from the claims of an identity provider. */
import type { OperatorRole } from '../../store/tables/operator-tables.js';

/** The claims of a person, as the provider states them. */
export type Claims = Readonly<Record<string, unknown>>;

/** Where the claims have the role and the agencies of an operator. */
export interface ClaimSettings {
  /** The claim with the roles (`CONSOLE_OIDC_ROLES_CLAIM`). */
  rolesClaim: string;
  /** The value of the claim that gives each role (`CONSOLE_OIDC_VIEW_ROLE` and others). */
  roles: Readonly<Record<OperatorRole, string>>;
  /** The claim with the agencies (`CONSOLE_OIDC_AGENCIES_CLAIM`); all agencies when undefined. */
  agenciesClaim: string | undefined;
}

/** The maximum length of a name. */
const longestName = 100;

/**
 * Finds a claim by its name, or inside of other claims by a path with dots, such as
 * `realm_access.roles`. A name may contain dots, too, such as a URL.
 */
export function findClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  const [first = '', ...rest] = path.split('.');
  const found: unknown = Object.hasOwn(claims, first) ? claims[first] : undefined;
  const isNested = typeof found === 'object' && found !== null && rest.length > 0;
  return isNested ? findClaim(found as Claims, rest.join('.')) : undefined;
}

/** The highest role of the claims; `undefined` when they have none that the settings know. */
export function roleOf(claims: Claims, { rolesClaim, roles }: ClaimSettings): OperatorRole | undefined {
  const given = textsOf(findClaim(claims, rolesClaim));
  return (['supervise', 'file', 'view'] as const).find((role) => given.includes(roles[role]));
}

/**
 * The ids of the agencies of the claims, or `all`. A person without the claim has none: a claim that is
 * missing by mistake must not open all agencies.
 */
export function agenciesOf(claims: Claims, { agenciesClaim }: ClaimSettings): 'all' | string[] {
  if (agenciesClaim === undefined) return 'all';
  const given = textsOf(findClaim(claims, agenciesClaim));
  return given.includes('all') ? 'all' : given;
}

/** The name that the console shows: the best that the claims have. */
export function shownNameOf(claims: Claims, subject: string): string {
  const names = [claims['name'], claims['preferred_username'], claims['email'], subject];
  const texts = names.map((name) => (typeof name === 'string' ? name.replace(/[\p{C}\s]+/gu, ' ').trim() : ''));
  return (texts.find((text) => text !== '') ?? '').slice(0, longestName);
}

/** The texts of a claim, which is one text or a list. */
function textsOf(claim: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.filter((value) => typeof value === 'string');
}
