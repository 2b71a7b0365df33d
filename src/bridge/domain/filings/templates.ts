/*
 * Texts that operators give users often: what a state asks for, why it denies. A template is about no
 * application and no person. The operator who uses one reads and completes it in the form of the
 * decision, and what is sent is what that form contains.
 */
import { randomUUID } from 'node:crypto';
import {
  deleteTemplate,
  findTemplates,
  insertTemplate,
  type ReasonTemplateRow,
} from '../../store/filings/template-store.js';
import { inTransaction } from '../../store/transaction.js';
import { type AuditActor, recordAudit } from '../audit/audit.js';
import type { BridgeContext } from '../context.js';
import { inputLimits } from '../limits/limits.js';

/** The decisions whose reason a template can be. */
export const templateStatuses = ['requires_action', 'denied'] as const;

/** A text for the reason of a decision. */
export type ReasonTemplate = Pick<ReasonTemplateRow, 'id' | 'name' | 'status' | 'reason'>;

const { reasonTemplates } = inputLimits;

/** All templates, by name. */
export function listTemplates({ db }: Pick<BridgeContext, 'db'>): Promise<ReasonTemplate[]> {
  return findTemplates(db);
}

/** Adds a template. Resolves with why it was not added: its name is taken, or there are as many as there may be. */
export async function addTemplate(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  { actor, ...template }: Omit<ReasonTemplate, 'id'> & { actor: AuditActor },
): Promise<'added' | 'taken' | 'full'> {
  return inTransaction(context.db, async (trx) => {
    if ((await findTemplates(trx)).length >= reasonTemplates.max) return 'full';
    const row = { id: randomUUID(), ...template, createdBy: actor, createdAt: context.clock() };
    if (!(await insertTemplate(trx, row))) return 'taken';
    const entry = { agencyId: '', actor, action: 'template.added', subject: template.name, result: 'done' } as const;
    await recordAudit(trx, context, entry);
    return 'added';
  });
}

/** Removes a template. Resolves with `false` when there is none. */
export async function removeTemplate(
  context: Pick<BridgeContext, 'db' | 'clock'>,
  { id, actor }: { id: string; actor: AuditActor },
): Promise<boolean> {
  return inTransaction(context.db, async (trx) => {
    const name = await deleteTemplate(trx, id);
    if (name === undefined) return false;
    const entry = { agencyId: '', actor, action: 'template.removed', subject: name, result: 'done' } as const;
    await recordAudit(trx, context, entry);
    return true;
  });
}
