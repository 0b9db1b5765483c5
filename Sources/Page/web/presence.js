// Reports that a session is on this screen, so that other viewers see it and no notification of it is sent.

/** The bridge regards a viewer who sends no report for 30 s as away. */
const INTERVAL_MS = 15_000;

/**
 * @param {import('./tinyvex.js').TinyvexClient} client
 * @param {() => { sessionId: string, agent?: string } | null} session Null while the session has no agent, which has no viewers.
 * @param {(who: string) => void} onOwnName Called with the name under which the bridge lists this page.
 * @returns {{ report: () => void, close: () => void }} `report` sends a report at once: call it when the session or the
 *   connection begins.
 */
export function presence(client, session, onOwnName) {
  let isUnknown = false;
  const report = () => {
    const named = session();
    if (isUnknown || document.hidden || !named || client.state.phase !== 'live') return;
    client.action('sessions:view', named).then(
      (value) => { if (typeof value?.who === 'string') onOwnName(value.who); },
      // A bridge of an earlier version has no such action, and a session at a hub has no viewers. Other errors end with the session
      // or the connection.
      (error) => { if (error.code === '-32602' || error.code === 'TVX011') isUnknown = true; });
  };
  const timer = setInterval(report, INTERVAL_MS);
  document.addEventListener('visibilitychange', report);
  return {
    report,
    close() {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', report);
    },
  };
}
