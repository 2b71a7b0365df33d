// @ts-check

// The return script has told the element by now. These words are for whoever sees the page itself, after a redirect.
const outcomes = {
  submitted: ['Your application is on its way', 'Your states show what each department decides.'],
  cancelled: ['Nothing is lost', 'What you entered is saved. Go on when you like.'],
  expired: ['This link has ended', 'Start again from your states: what was saved is still there.'],
};
const returned = new URLSearchParams(location.search).get('status') ?? '';
const [title, text] = outcomes[/** @type {keyof typeof outcomes} */ (returned)] ?? [];
for (const [id, words] of Object.entries({ 'outcome-title': title, 'outcome-text': text })) {
  const place = document.getElementById(id);
  if (place && words) place.textContent = words;
}
