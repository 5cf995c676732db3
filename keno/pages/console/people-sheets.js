// The dialogs of people and stations: add a person, change one, enrol a station. What was typed
// stays until the server has accepted it.

import { h } from '../shared/dom.js';
import { ACCESS_APPROVERS, approval } from './approval.js';
import { codeOf, words } from './ask.js';
import { choice, field, formSheet } from './frame.js';
import {
  changedWords,
  changeWords,
  passwordFault,
  readKey,
  ROLES,
  roleWords,
} from './people-words.js';

/** @typedef {(words: string) => Promise<void>} Done called with what was done */
/** @import { StaffLocation, StaffPerson } from '../shared/protocol.js' */
/** @import { Ask, Session } from './types.js' */

/**
 * @param {{ask: Ask, session: Session}} how
 * @param {string[]} roles
 * @param {Done} done
 */
export function addPerson({ ask, session }, roles, done) {
  const approved = approval(session, ACCESS_APPROVERS);
  const name = field('Name, as colleagues know it', { maxLength: 60 });
  const person = field('Signs in as', {
    class: 'input code',
    maxLength: 32,
    autocapitalize: 'characters',
    spellcheck: false,
    note: 'Short, and never given to anybody else. It stands in the ledger.',
  });
  const role = choice(
    'Role',
    roles.map((each) => [each, roleWords(each)]),
  );
  const password = field('First password', {
    type: 'password',
    autocomplete: 'new-password',
    note: 'At least 10 characters. They change it under their own name.',
  });
  const again = field('First password again', { type: 'password', autocomplete: 'new-password' });
  const run = async () => {
    if (!name.value.trim()) return name.refuse('Who is it?');
    if (!person.value.trim()) return person.refuse('Under which name do they sign in?');
    const wrong = passwordFault(password.value, again.value);
    if (wrong) return (wrong.field === 'again' ? again : password).refuse(wrong.fault);
    const given = approved.need();
    if (!given) return false;
    const who = person.value.trim().toUpperCase();
    try {
      await ask('add_user', {
        person: who,
        name: name.value.trim(),
        role: role.value,
        password: password.value,
        ...given,
      });
    } catch (error) {
      if (approved.refused(error)) return false;
      if (['name_taken', 'bad_name'].includes(codeOf(error))) return person.refuse(words(error));
      if (codeOf(error) === 'bad_password') return password.refuse(words(error));
      throw error;
    }
    await done(`${name.value.trim()} may sign in as ${who}.`);
    return true;
  };
  formSheet(
    'Add a person',
    [
      name.element,
      person.element,
      role.element,
      password.element,
      again.element,
      ...approved.elements,
    ],
    'Add person',
    run,
  );
  name.focus();
}

/**
 * @param {{ask: Ask, session: Session}} how
 * @param {StaffPerson} of
 * @param {Done} done
 */
export function changePerson({ ask, session }, of, done) {
  const approved = approval(session, ACCESS_APPROVERS);
  const role = choice('Role', Object.entries(ROLES));
  const active = choice('May sign in', [
    ['yes', 'Yes'],
    ['no', 'No'],
  ]);
  role.value = of.role;
  active.value = of.active ? 'yes' : 'no';
  const meaning = h('div', { class: 'change-words', role: 'status' });
  const to = () => ({ role: role.value, active: active.value === 'yes' });
  const tell = () => {
    const said = changeWords(of, to());
    meaning.replaceChildren(
      ...(said.length ? said : ['Nothing is changed yet.']).map((each) =>
        h('p', { class: 'running' }, each),
      ),
    );
    go.disabled = !said.length;
    const out = of.active && !to().active;
    go.classList.toggle('button-go', !out);
    go.classList.toggle('button-grave', out);
    go.textContent = out ? `Lock ${of.name} out` : `Change ${of.name}`;
  };
  const run = async () => {
    const given = approved.need();
    if (!given) return false;
    try {
      await ask('change_user', { person: of.person, ...to(), ...given });
    } catch (error) {
      if (approved.refused(error)) return false;
      throw error;
    }
    await done(changedWords(of, to()));
    return true;
  };
  const go = formSheet(
    `Change ${of.name}`,
    [role.element, active.element, meaning, ...approved.elements],
    `Change ${of.name}`,
    run,
  );
  for (const each of [role, active]) each.input.addEventListener('change', tell);
  tell();
  role.focus();
}

/**
 * @param {{ask: Ask, session: Session}} how
 * @param {StaffLocation[]} locations
 * @param {Done} done
 */
export function enrolStation({ ask, session }, locations, done) {
  const approved = approval(session, ACCESS_APPROVERS);
  const station = field('Name of the station', {
    class: 'input code',
    maxLength: 32,
    spellcheck: false,
    note: 'As it stands on tickets and reports: 4, window-3.',
  });
  const location = choice(
    'Location',
    locations.map((each) => [each.location, each.name]),
  );
  const key = field('Its public key', {
    rows: 2,
    class: 'input code',
    spellcheck: false,
    note: '64 hexadecimal digits. The private half never leaves the station’s own disk.',
  });
  const run = async () => {
    if (!station.value.trim()) return station.refuse('What is the station called?');
    const hex = readKey(key.value);
    if (!hex) return key.refuse('A public key has 64 hexadecimal digits, 0 to 9 and a to f.');
    const given = approved.need();
    if (!given) return false;
    try {
      await ask('enrol_station', {
        station: station.value.trim(),
        location: location.value,
        public_key: hex,
        ...given,
      });
    } catch (error) {
      if (approved.refused(error)) return false;
      if (['name_taken', 'bad_name'].includes(codeOf(error))) return station.refuse(words(error));
      throw error;
    }
    await done(`Station ${station.value.trim()} is enrolled.`);
    return true;
  };
  const how = h(
    'p',
    { class: 'running' },
    'At the server’s own console ',
    h('span', { class: 'code command' }, 'keno station enrol'),
    ' makes the key and enrols in one step. ',
    'Here a station is enrolled whose key was made elsewhere.',
  );
  formSheet(
    'Enrol a station',
    [how, station.element, location.element, key.element, ...approved.elements],
    'Enrol station',
    run,
  );
  station.focus();
}
