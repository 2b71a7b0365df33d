import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { returnHref } from '../../../src/bridge/apply/respond.js';

test('The status is added to the return URL, replacing an existing one, and the rest stays unchanged.', () => {
  const home = 'https://agency.example/done';
  equal(returnHref(home, 'submitted'), `${home}?status=submitted`);
  equal(returnHref(`${home}?`, 'submitted'), `${home}?status=submitted`);
  equal(returnHref(`${home}?page=a%20b&x#top`, 'cancelled'), `${home}?page=a%20b&x&status=cancelled#top`);
  equal(returnHref(`${home}?status=new&page=1`, 'submitted'), `${home}?page=1&status=submitted`);
  equal(returnHref(`${home}?page=1&%73tatus=new&status=b`, 'expired'), `${home}?page=1&status=expired`);
  equal(returnHref(`${home}#?status=own`, 'submitted'), `${home}?status=submitted#?status=own`);
});
