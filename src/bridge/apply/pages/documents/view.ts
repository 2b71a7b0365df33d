import type { Language } from '../../../../contract/index.js';
import { incidentName } from '../../../catalogue/answers.js';
import { subjectsOffered, type OfferedSubject } from '../../../catalogue/document-subjects.js';
import { needsRightToWork } from '../../../domain/applications/background.js';
import { countMissingDocuments } from '../../../domain/applications/required-documents.js';
import type { ListedDocument } from '../../../domain/documents/documents.js';
import { randomToken } from '../../../domain/keys/keys.js';
import { inputLimits } from '../../../domain/limits/limits.js';
import { describedBy, errorLine } from '../../../pages/fields.js';
import type { FieldError } from '../../../pages/forms.js';
import { html, type Html } from '../../../pages/html.js';
import { type Page, stepForm } from '../../layout.js';
import { type AnyPageContext, longTime, type PageContext } from '../../page-context.js';

const typeNames: Readonly<Record<ListedDocument['type'], string>> = {
  'application/pdf': 'PDF',
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
};

/** The documents of an application, after the background questions. */
export function documentsPage(
  pageContext: PageContext,
  documents: readonly ListedDocument[],
  errors: readonly FieldError[] = [],
): Page {
  const { session, language } = pageContext;
  const words = pageContext.texts.documents;
  const action = pageContext.path('background/documents');
  return {
    title: words.title,
    errors,
    back: pageContext.path('background'),
    reason: { why: words.why, who: words.who },
    content: html`<p class="lead">${words.lead}</p>
      ${needsRightToWork(session) && html`<p class="inset">${words.rightToWork}</p>`}
      ${documentsSection(pageContext, {
        documents,
        action,
        errors,
        subjects: subjectsOffered(session.pinned, session.application, language),
        missingCount: countMissingDocuments(session),
      })}
      ${stepForm(pageContext, { action, content: html`<input type="hidden" name="continue" value="1" />` })}`,
  };
}

/** The contents of the documents section. */
export interface DocumentsShown {
  documents: readonly ListedDocument[];
  action: string;
  errors: readonly FieldError[];
  /** What the user can choose that a document is for, besides "other". Default: no choice. */
  subjects?: readonly OfferedSubject[];
  /** The number of missing required documents. Default: 0. */
  missingCount?: number;
}

/** The list of documents and the form that adds one. The script replaces it as a whole. */
export function documentsSection(
  pageContext: AnyPageContext,
  { documents, action, errors, subjects = [], missingCount = 0 }: DocumentsShown,
): Html {
  const { texts, language } = pageContext;
  const words = texts.documents;
  const error = errors.find(({ field }) => field === 'file');
  const { documentBytes, documentsPerApplication } = inputLimits;
  const hint = words.fileHint(documentBytes.max / (1_024 * 1_024), documentsPerApplication.max);
  return html`<section id="documents" aria-labelledby="documents-title">
    <h2 id="documents-title">${words.listTitle}</h2>
    ${missingCount > 0 && html`<p class="inset">${words.needed(missingCount)}</p>`}
    ${documents.length === 0 && html`<p class="hint">${words.none}</p>`}
    <ol class="list documents">
      ${documents.map(
        (document, index) =>
          html`<li>
            <form method="post" action="${action}" data-working="${texts.layout.working}">
              <strong>${words.item(index + 1)}</strong>
              <span class="hint"
                >${words.added(typeNames[document.type], sizeOf(document.size, language), longTime(document.createdAt, language))}</span
              >
              <input type="hidden" name="remove" value="${document.id}" />
              <button class="button quiet" type="submit" aria-label="${`${words.remove}: ${words.item(index + 1)}`}">
                ${words.remove}
              </button>
            </form>
          </li>`,
      )}
    </ol>
    <form
      method="post"
      enctype="multipart/form-data"
      action="${action}"
      novalidate
      data-upload
      data-max-bytes="${documentBytes.max}"
      data-too-large="${words.problems.tooLarge}"
      data-empty="${words.problems.empty}"
      data-working="${words.adding}"
      data-retrying="${words.retrying}"
      data-saved="${words.saved}"
      data-failed="${words.failed}"
    >
      <input type="hidden" name="upload" value="${randomToken()}" />
      <div class="field ${error && 'has-error'}">
        <label for="file">${words.file}</label>
        <p class="hint" id="file-hint">${hint}</p>
        ${errorLine(texts, 'file', error)}
        <input
          type="file"
          id="file"
          name="file"
          accept=".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg"
          ${describedBy('file', hint, error)}
        />
        <progress class="upload" max="100" value="0" aria-label="${words.progress}" hidden></progress>
        <p class="hint upload-status" role="status"></p>
      </div>
      ${subjects.length > 0 && subjectFields(pageContext, subjects, errors)}
      ${
        documents.length > 0 &&
        html`<div class="field">
          <label for="replaces">${words.replaces}</label>
          <select id="replaces" name="replaces">
            <option value="">${words.addNew}</option>
            ${documents.map(({ id }, index) => html`<option value="${id}">${words.replace(index + 1)}</option>`)}
          </select>
        </div>`
      }
      <div class="buttons"><button class="button quiet" type="submit">${words.add}</button></div>
    </form>
  </section>`;
}

function subjectFields(
  { texts, language }: AnyPageContext,
  subjects: readonly OfferedSubject[],
  errors: readonly FieldError[],
): Html {
  const words = texts.documents;
  const error = errors.find(({ field }) => field === 'subject');
  const incidents = Math.max(...subjects.map(({ maxIncidents }) => maxIncidents));
  return html`<div class="field ${error && 'has-error'}">
      <label for="subject">${words.subject}</label>
      <p class="hint" id="subject-hint">${words.subjectHint}</p>
      ${errorLine(texts, 'subject', error)}
      <select id="subject" name="subject" ${describedBy('subject', words.subjectHint, error)}>
        <option value="">${texts.layout.dates.choose}</option>
        ${subjects.map(
          ({ question, followUp, name }) => html`<option value="${`${question}/${followUp}`}">${name}</option>`,
        )}
        <option value="other">${words.other}</option>
      </select>
    </div>
    ${
      incidents > 1 &&
      html`<div class="field">
        <label for="incident">${words.incident}</label>
        <p class="hint" id="incident-hint">${words.incidentHint}</p>
        <select
          class="width-short"
          id="incident"
          name="incident"
          ${describedBy('incident', words.incidentHint, undefined)}
        >
          ${Array.from({ length: incidents }, (_, index) => {
            return html`<option value="${index + 1}">${incidentName(index, language)}</option>`;
          })}
        </select>
      </div>`
    }`;
}

function sizeOf(bytes: number, language: Language): string {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat(`${language}-US`, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(Math.max(1, bytes / 1_000) / (isLarge ? 1_000 : 1));
}
