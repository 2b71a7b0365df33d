import { createElement, StrictMode, useState } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import {
  LicensingApplications,
  type LicensingApplicationsElement,
  type LicensingApplicationsProps,
  LicensingApply,
  type LicensingApplyElement,
  type LicensingApplyProps,
} from 'licensing-apply/react';

/** The data of the page for the test. */
declare global {
  interface Window {
    told: string[];
    seen: LicensingApplyElement | null;
    render(count: number): void;
    show(isShown: boolean): void;
    /** Renders with exactly these props. */
    use(props: LicensingApplyProps): void;
    /** Renders the list with exactly these props. */
    useList(props: LicensingApplicationsProps): void;
    list: LicensingApplicationsElement | null;
  }
}

window.told = [];
window.seen = null;

/** A parent that renders repeatedly with new callbacks, and that removes the element. */
function Parent() {
  const [count, setCount] = useState(0);
  const [isShown, setShown] = useState(true);
  const [isOpen, setOpen] = useState(false);
  const [only, setOnly] = useState<LicensingApplyProps>();
  const [list, setList] = useState<LicensingApplicationsProps>();
  Object.assign(window, { render: setCount, show: setShown, use: setOnly, useList: setList });
  if (!isShown) return null;
  if (list) {
    return createElement(LicensingApplications, {
      ...list,
      onListChange: ({ state, count }) => window.told.push(`${state} ${count}`),
      onStateChange: ({ to }) => window.told.push(to),
      ref: (element) => {
        window.list = element;
      },
    });
  }
  if (only) {
    return createElement(LicensingApply, {
      ...only,
      ref: (element) => {
        window.seen = element;
      },
    });
  }
  return createElement(LicensingApply, {
    ref: (element) => {
      window.seen = element;
    },
    sessionUrl: '/licensing/sessions',
    states: `T${'X'.repeat(count)}`,
    estimatedFee: 100 + count,
    className: 'wide',
    open: isOpen,
    onStateChange: ({ to }) => {
      window.told.push(`${count} ${to}`);
      if (to === 'preparing') setOpen(true);
    },
    onClose: () => {
      setOpen(false);
    },
  });
}

const app = createElement(StrictMode, null, createElement(Parent));
const place = document.querySelector('#app');
if (place?.firstElementChild) hydrateRoot(place, app);
else if (place) createRoot(place).render(app);
