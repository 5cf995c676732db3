// Requests the ticket in this page's address while the rest of the page is still loading.

{
  const found = /^\/t\/([A-Z])-([0-9]{1,15})-([0-9A-HJKMNP-TV-Z]{16})$/.exec(location.pathname);
  if (found) {
    const held = { letter: found[1], ticket: Number(found[2]), code: found[3] };
    const answer = fetch('/api/tickets/check', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(held),
    });
    answer.catch(() => {}); // check.js awaits it and shows the error
    globalThis.early = { held, answer };
    history.replaceState(null, '', '/check');
  }
}
