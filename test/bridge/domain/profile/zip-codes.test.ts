import { equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyRecord } from '../../../../src/bridge/domain/applications/profile/pages.js';
import { findZipDoubt } from '../../../../src/bridge/domain/applications/profile/zip-codes.js';
import { topicIds, type TopicId, type Values } from '../../../../src/bridge/domain/applications/profile/topics.js';

const doubt = (typed: Values, topic: TopicId = 'home', confirmed?: Values) =>
  findZipDoubt(
    confirmed ? { ...emptyRecord(), pages: { [topic]: confirmed }, confirmed: [topic] } : emptyRecord(),
    { key: topic, topic },
    typed,
  );
const address = (state: string, zip: string) => ({ abroad: 'us', state, zip });

describe('ZIP codes and states', () => {
  it('A ZIP code of another state is doubted, with the state that it belongs to.', () => {
    for (const [state, zip, other] of [
      ['CA', '78701', 'TX'],
      ['TX', '90001-1234', 'CA'],
      ['TX', ' 10001', 'NY'],
      ['NY', '00901', 'PR'],
      ['VA', '20001', 'DC'],
      ['TX', '09012', 'AE'],
      ['GA', '34002', 'AA'],
    ] as const) {
      equal(doubt(address(state, zip)), other, `${state} ${zip}`);
    }
  });

  it('A ZIP code of the state is not, at the first and last of its areas and where two states share one.', () => {
    for (const [state, zip] of [
      ['TX', '75001'],
      ['TX', '79999'],
      ['TX', '73301'],
      ['TX', '88510'],
      ['NY', '00501'],
      ['NY', '06390'],
      ['CT', '06390'],
      ['PR', '00601'],
      ['VI', '00802'],
      ['GU', '96910'],
      ['MP', '96950'],
      ['AS', '96799'],
      ['HI', '96799'],
      ['AE', '09012'],
    ] as const) {
      equal(doubt(address(state, zip)), undefined, `${state} ${zip}`);
    }
  });

  it('Nothing is doubted without a state, without a whole area, in no area, abroad, or on a page without address.', () => {
    equal(doubt(address('', '78701')), undefined);
    equal(doubt(address('CA', '78')), undefined);
    equal(doubt(address('CA', '00001')), undefined);
    equal(doubt({ ...address('CA', '78701'), abroad: 'abroad' }), undefined);
    equal(doubt({ ...address('CA', '78701'), which: 'home' }, 'business'), undefined);
    equal(doubt({ ...address('CA', '78701'), which: 'other' }, 'business'), 'TX');
    equal(doubt({ ...address('CA', '78701'), which: 'other' }, 'mailing'), 'TX');
    for (const topic of topicIds) {
      if (!['home', 'business', 'mailing'].includes(topic))
        equal(doubt(address('CA', '78701'), topic), undefined, topic);
    }
  });

  it('One that the user has kept is not doubted again, until it changes.', () => {
    const kept = address('CA', '78701');
    equal(doubt({ ...kept, zip: '78704-1000' }, 'home', kept), undefined);
    equal(doubt(address('CA', '75001'), 'home', kept), 'TX');
    equal(doubt(address('OR', '78701'), 'home', kept), 'TX');
  });
});
