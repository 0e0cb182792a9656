// Plays DAY in place of a running system; page.js uses `window.recorded`.
{
  let next = 0;
  window.recorded = {
    start: async () => DAY.start,
    inject: async fault => {
      next = Math.max(0, DAY.plan[fault] - DAY.before_s);
      return `${DAY.start.faults[fault]}: the recording goes on ${DAY.before_s} seconds before it, at second ${next}`;
    },
    listen: take => {
      const timer = setInterval(() => {
        take(DAY.messages[next]);
        next = (next + 1) % DAY.messages.length;
      }, DAY.pace_ms);
      return {close: () => clearInterval(timer)};
    },
  };
}
