import type { Question } from '../../../catalogue/questions.js';
import type { Answers } from '../../../domain/applications/background.js';
import { characters } from '../../../domain/limits/limits.js';
import type { FieldError, PostedForm } from '../../../pages/forms.js';
import type { Texts } from '../../texts/index.js';

/** The longest follow-up that is kept. The field has it as `maxlength`, so only a made-up post meets it. */
export const maxDetailLength = characters.followUp.max;

/** What one page of questions brought. */
export interface PostedAnswers {
  /** The answers that are complete. They are saved even when others are not. */
  answers: Answers;
  errors: FieldError[];
}

/**
 * Reads one page of questions. A question left empty keeps the answer that it has. A yes without its details counts as not
 * answered, and is asked again from the start: were it kept, the page that asks for the details would show the yes.
 */
export function readAnswers(
  form: PostedForm,
  questions: readonly Question[],
  answered: ReadonlySet<string>,
  texts: Texts,
): PostedAnswers {
  const answers: Answers = {};
  const errors: FieldError[] = [];
  for (const { id, followUps } of questions) {
    const answer = form.text(id);
    const { ask } = texts.questions[id];
    if (answer === 'no') {
      answers[id] = { answer, details: {} };
    } else if (answer === 'yes') {
      const details = Object.fromEntries(followUps.map((followUp) => [followUp, form.text(`${id}.${followUp}`)]));
      const isComplete = Object.values(details).every((text) => text !== '' && text.length <= maxDetailLength);
      if (isComplete) answers[id] = { answer, details };
      else
        errors.push({
          field: `${id}-yes`,
          message: texts.errors.answerAgain,
          summary: `${texts.errors.answerAgain}: ${ask}`,
        });
    } else if (!answered.has(id)) {
      errors.push({ field: `${id}-yes`, message: texts.errors.answer, summary: `${texts.errors.answer}: ${ask}` });
    }
  }
  return { answers, errors };
}
