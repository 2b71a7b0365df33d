import type { RequestedAction } from '../../../domain/applications/action.js';
import { furtherFeeForm } from '../../../domain/payments/committing-forms.js';
import { type FurtherFeeResult, payFurtherFee, readFurtherFee } from '../../../domain/payments/further-fee.js';
import { commitShown, shownToken } from '../../../domain/shown/shown.js';
import type { FieldError, PostedForm } from '../../../pages/forms.js';
import type { ApplyRequest, ApplyServices } from '../../page-context.js';
import { showPage } from '../../respond.js';
import { nothingTyped, type TypedPayment } from '../payments/method-fields.js';
import { allowFieldsOf, declinedError, parsePaying, typedOf } from '../payments/paying.js';
import { pendingPaymentPage, processorPage } from '../payments/view.js';
import { feePage, noFeePage } from './fee-view.js';

type Context = ApplyServices['context'];

/** An open request that asks for a further fee, its link and the path of its page. */
export interface AskedFee {
  action: RequestedAction;
  token: string;
  path: string;
}

/** Shows the page of a further fee, or what has become of its payment. */
export async function showFee(context: Context, c: ApplyRequest, asked: AskedFee): Promise<Response> {
  const result = await readFurtherFee(context, asked.action);
  return result ? showResult(context, c, asked, result) : showAsking(context, c, asked, []);
}

/**
 * Pays a further fee.
 *
 * @param findAsked Finds the request again when it has changed since the page; `undefined` when it
 *   is over.
 */
export async function postFee(
  context: Context,
  c: ApplyRequest,
  { asked, form, findAsked }: { asked: AskedFee; form: PostedForm; findAsked: () => Promise<AskedFee | undefined> },
): Promise<Response> {
  const { texts, language } = c.get('page');
  const about = { texts, mode: asked.action.application.mode, address: c.env.address };
  const { value: paying, errors } = parsePaying(context, about, form);
  const typed = typedOf(form);
  // Still the token of the page that the user has read, until a message says what has changed.
  if (!paying) return showAsking(context, c, asked, errors, { typed, shown: form.shown });
  return commitShown(
    async () => {
      const result = await payFurtherFee(context, asked.token, paying, language);
      // A separate URL, because the reload of a polling page must not post again.
      const isShownByPost = result.status === 'declined' || result.status === 'unavailable';
      return isShownByPost ? showResult(context, c, asked, result, typed) : c.redirect(asked.path, 303);
    },
    async () => {
      const current = await findAsked();
      if (!current) return c.redirect(asked.path, 303);
      return showAsking(context, c, current, [{ field: 'main', message: texts.errors.changedPayment }], { typed });
    },
  );
}

async function showAsking(
  context: Context,
  c: ApplyRequest,
  { action, path }: AskedFee,
  errors: readonly FieldError[],
  { typed = nothingTyped, shown }: { typed?: TypedPayment; shown?: string } = {},
): Promise<Response> {
  const page = c.get('page');
  const processor = context.processorFor(action.application.mode);
  if (!processor) return showPage(c, noFeePage(page, 'unavailable'));
  allowFieldsOf(processor, c);
  const token = shown ?? shownToken(context, furtherFeeForm, action.state);
  return showPage(c, feePage(page, action, processor, { action: path, shown: token, typed, errors }));
}

async function showResult(
  context: Context,
  c: ApplyRequest,
  asked: AskedFee,
  result: FurtherFeeResult,
  typed: TypedPayment = nothingTyped,
): Promise<Response> {
  const page = c.get('page');
  switch (result.status) {
    case 'declined': {
      const { reason, method } = result;
      if (reason === 'too_many_declines') return showPage(c, noFeePage(page, 'stopped'));
      return showAsking(context, c, asked, [declinedError(page.texts, { reason, method })], { typed });
    }
    case 'pending':
      return showPage(
        c,
        pendingPaymentPage(page, result.method, { bankLead: page.texts.action.feePendingBank, href: asked.path }),
      );
    case 'redirect':
      return showPage(c, processorPage(page, result.url));
    case 'unavailable':
      return showPage(c, noFeePage(page, 'unavailable'));
    case 'over':
      return c.redirect(asked.path, 303);
  }
}
