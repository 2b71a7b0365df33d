import { addNote, listNotes } from '../../domain/applications/notes.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { characters } from '../../domain/limits/limits.js';
import { hasRole, type Operator } from '../../domain/operators/operators.js';
import { actorOf } from '../../domain/operators/sign-in.js';
import type { ApplicationRow } from '../../store/tables/tables.js';
import type { FieldError } from '../../pages/forms.js';
import { html, type Html } from '../../pages/html.js';
import { showProblem } from '../responses.js';
import type { OperatorRequest } from '../context.js';
import { csrfInput } from '../layout.js';
import { dataTable, textArea, time } from '../parts.js';
import { consoleTexts as texts } from '../texts.js';
import { actorName } from './audit.js';

const words = texts.notes;

/** The place of the notes on the page of an application. */
export const notesAnchor = 'notes';

/**
 * The notes of an application, and the form for another one. Only for operators who file: a note may
 * name facts about the user.
 */
export async function noteSection(
  request: OperatorRequest,
  application: Pick<ApplicationRow, 'id' | 'mode' | 'erasedAt'>,
  { operators, errors = [] }: { operators: readonly Operator[]; errors?: readonly FieldError[] },
): Promise<Html | undefined> {
  const { form, services, session } = request;
  if (!hasRole(session.operator, 'file')) return undefined;
  const notes = await listNotes(services.context, application);
  const rows = notes.map(({ text, author, createdAt }) => [
    time(createdAt),
    actorName(author, operators),
    html`<span class="typed">${text}</span>`,
  ]);
  return html`<h2 id="${notesAnchor}">${words.title}</h2>
    ${dataTable({ caption: words.title, columns: [words.when, words.who, words.text], rows, empty: words.empty })}
    ${
      application.erasedAt === null &&
      html`<form method="post" action="/applications/${application.id}/notes" novalidate>
        ${csrfInput(session)}
        ${textArea(
          { texts, errors },
          {
            name: 'note',
            label: words.add,
            hint: words.hint,
            value: errors.length > 0 ? form.text('note') : '',
            maxlength: characters.note.max,
          },
        )}
        <p class="buttons"><button class="button quiet" type="submit">${words.submit}</button></p>
      </form>`
    }`;
}

/** Saves a note, and leads back to it. */
export async function saveNote(request: OperatorRequest, applicationId: string): Promise<Response> {
  const { c, form, services, session } = request;
  try {
    await addNote(services.context, { applicationId, text: form.text('note'), actor: actorOf(session.operator) });
  } catch (error) {
    if (error instanceof ApiError && error.failure === 'invalid_transition') {
      return showProblem(c, services, 409, words.refused);
    }
    throw error;
  }
  return c.redirect(`/applications/${applicationId}?done=noted#${notesAnchor}`, 303);
}
