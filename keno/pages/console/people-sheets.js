// The sheets of people and stations: add a person, change one, enrol a station. What was typed stays
// until the server has said yes.

import { h } from '../shared/dom.js';
import { busy, button, choice, field, sheet, statusLine } from './frame.js';
import { changedWords, changeWords, passwordFault, readKey, roleWords } from './people-words.js';

function form(title, parts, act, run) {
  const status = statusLine();
  const go = button(act, null, { go: true, type: 'submit' });
  const made = h(
    'form',
    { class: 'form', on: { submit: (event) => (event.preventDefault(), busy(go, attempt)) } },
    parts,
    status.element,
    h(
      'div',
      { class: 'acts' },
      go,
      button('Leave it as it is', () => shown.close()),
    ),
  );
  const shown = sheet(title, made);
  const attempt = async () => {
    status.clear();
    try {
      if (await run()) shown.close();
    } catch (error) {
      status.no(error);
    }
  };
  return { shown, go };
}

/** @param {(words: string) => Promise<void>} done told what was done */
export function addPerson(ask, roles, done) {
  const name = field('Name, as colleagues know it', { maxLength: 60 });
  const person = field('Signs in as', {
    class: 'input code',
    maxLength: 32,
    autocapitalize: 'characters',
    spellcheck: false,
    hint: 'Short, and never given to anybody else. It stands in the ledger.',
  });
  const role = choice(
    'Role',
    roles.map((each) => [each, roleWords(each)]),
  );
  const password = field('First password', {
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 10 characters. They change it under their own name.',
  });
  const again = field('First password again', { type: 'password', autocomplete: 'new-password' });
  const run = async () => {
    if (!name.value.trim()) return name.refuse('Who is it?');
    if (!person.value.trim()) return person.refuse('Under which name do they sign in?');
    const wrong = passwordFault(password.value, again.value);
    if (wrong) return (wrong.field === 'again' ? again : password).refuse(wrong.fault);
    const who = person.value.trim().toUpperCase();
    try {
      await ask('add_user', {
        person: who,
        name: name.value.trim(),
        role: role.value,
        password: password.value,
      });
    } catch (error) {
      if (['name_taken', 'bad_name'].includes(error.code)) return person.refuse(error.message);
      if (error.code === 'bad_password') return password.refuse(error.message);
      throw error;
    }
    await done(`${name.value.trim()} may sign in as ${who}.`);
    return true;
  };
  form(
    'Add a person',
    [name.element, person.element, role.element, password.element, again.element],
    'Add person',
    run,
  );
  name.focus();
}

export function changePerson(ask, of, done) {
  const role = choice(
    'Role',
    ['writer', 'supervisor', 'manager', 'accounting', 'inspector', 'administrator'].map((each) => [
      each,
      roleWords(each),
    ]),
  );
  const active = choice('May sign in', [
    ['yes', 'Yes'],
    ['no', 'No'],
  ]);
  role.value = of.role;
  active.value = of.active ? 'yes' : 'no';
  const words = h('div', { class: 'change-words', role: 'status' });
  const to = () => ({ role: role.value, active: active.value === 'yes' });
  const tell = () => {
    const said = changeWords(of, to());
    words.replaceChildren(
      ...(said.length ? said : ['Nothing is changed yet.']).map((each) =>
        h('p', { class: 'running' }, each),
      ),
    );
    made.go.disabled = !said.length;
    const out = of.active && !to().active;
    made.go.classList.toggle('button-go', !out);
    made.go.classList.toggle('button-grave', out);
    made.go.textContent = out ? `Lock ${of.name} out` : `Change ${of.name}`;
  };
  const run = async () => {
    await ask('change_user', { person: of.person, ...to() });
    await done(changedWords(of, to()));
    return true;
  };
  const made = form(
    `Change ${of.name}`,
    [role.element, active.element, words],
    `Change ${of.name}`,
    run,
  );
  for (const each of [role, active]) each.input.addEventListener('change', tell);
  tell();
  role.focus();
}

export function enrolStation(ask, locations, done) {
  const station = field('Name of the station', {
    class: 'input code',
    maxLength: 32,
    spellcheck: false,
    hint: 'As it stands on tickets and reports: 4, window-3.',
  });
  const location = choice(
    'Location',
    locations.map((each) => [each.location, each.name]),
  );
  const key = field('Its public key', {
    rows: 2,
    class: 'input code',
    spellcheck: false,
    hint: '64 hexadecimal digits. The private half never leaves the station’s own disk.',
  });
  const run = async () => {
    if (!station.value.trim()) return station.refuse('What is the station called?');
    const hex = readKey(key.value);
    if (!hex) return key.refuse('A public key has 64 hexadecimal digits, 0 to 9 and a to f.');
    try {
      await ask('enrol_station', {
        station: station.value.trim(),
        location: location.value,
        public_key: hex,
      });
    } catch (error) {
      if (['name_taken', 'bad_name'].includes(error.code)) return station.refuse(error.message);
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
    ' makes the key and enrols in one step. Here a station is enrolled whose key was made elsewhere.',
  );
  form(
    'Enrol a station',
    [how, station.element, location.element, key.element],
    'Enrol station',
    run,
  );
  station.focus();
}
