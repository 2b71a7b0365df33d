import type { PartialTexts } from '../../src/element/index.js';

/** A part of Arabic, to test right-to-left text and its plural rules. */
export const arabic: PartialTexts = {
  title: 'طلب ترخيص الولايات',
  intro: 'قدّم طلبًا واحدًا لكل الولايات التي تحتاجها، دون مغادرة هذه الصفحة.',
  states: 'الولايات',
  fees: 'الرسوم التقديرية',
  duration: 'الوقت',
  durationValue: 'حوالي 15 دقيقة. تُحفظ كل خطوة.',
  start: 'ابدأ الطلب',
  resume: 'تابع الطلب',
  preparing: 'جارٍ تجهيز طلبك…',
  connecting: ({ host }) => `جارٍ الاتصال بـ ${host}…`,
  step: ({ index, count, name }) => `الخطوة ${index} من ${count} · ${name}`,
  newWindow: 'افتح في نافذة جديدة',
  close: 'إغلاق',
  slow: ({ host }) => `إذا لم يظهر هنا شيء من ${host}، فافتحه في نافذة جديدة.`,
  leaveTitle: 'هل تغادر دون حفظ هذه الصفحة؟',
  leaveLost: 'ما أدخلته في هذه الصفحة لم يُحفظ بعد.',
  leaveSaved: ({ time }) => `حُفظت الخطوات السابقة الساعة ${time}.`,
  leaveStay: 'تابع',
  leaveGo: 'غادر',
  submittedTitle: 'أُرسل الطلب',
  submittedIntro: 'تقرر كل ولاية على حدة. تتحدّث هذه القائمة تلقائيًا.',
  decidedTitle: 'قرّرت كل الولايات',
  actionTitle: 'طلبك بحاجة إليك',
  answer: 'أجب',
  answerState: ({ state }) => `أجب ${state}`,
  updated: ({ date }) => `حُدّث في ${date}`,
  expiring: ({ minutes }) =>
    new Intl.PluralRules('ar').select(minutes) === 'two'
      ? 'تنتهي جلستك بعد دقيقتين.'
      : `تنتهي جلستك بعد ${minutes} دقيقة.`,
  errorTitle: 'تعذّر عرض الطلب',
  retry: 'حاول مرة أخرى',
  steps: { profile: 'ملفك', background: 'أسئلة الخلفية' },
  statuses: {
    pending_review: 'قيد المراجعة',
    approved: 'تمت الموافقة',
    requires_action: 'مطلوب إجراء',
  },
  errors: { integration: 'لم يُعدّ هذا الطلب كما ينبغي. يُرجى التواصل مع صاحب هذا الموقع.' },
};
