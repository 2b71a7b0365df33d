// @ts-check
// Offers the user's latest application again, after a reload or on another device.
const apply = /** @type {HTMLElement} */ (document.querySelector('licensing-apply'));
const list = new URL('applications', new URL(apply.getAttribute('session-url') ?? '', location.href));
const { applications } = await (await fetch(list)).json();
if (applications.length > 0) apply.setAttribute('application-id', applications[0].applicationId);
