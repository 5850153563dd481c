// Styles of a page are made for each request, with colours and widths of the user; the cache of styles is one for all.
const rounds = require('./rounds');
const createEmotion = require('@emotion/css/create-instance').default;

class Theme {
  constructor(tenant) { this.tenant = tenant; this.hue = tenant * 37 % 360; }
  colour(light) { return `hsl(${this.hue}, 60%, ${light}%)`; }
}
class ProfilePage {
  constructor(styles) { this.styles = styles; }
  render(theme, user, progress) {
    const card = this.styles.css({ color: theme.colour(20), background: theme.colour(95), border: `1px solid ${theme.colour(70)}`, '&:hover': { background: theme.colour(90) } });
    const bar = this.styles.css({ width: `${progress}%`, height: 8, backgroundImage: `url(/avatars/${user}.png)`, '@media (max-width: 600px)': { width: '100%' } });
    return `<div class="${card}"><i class="${bar}"></i>${user}</div>`;
  }
}
const page = new ProfilePage(createEmotion({ key: 'shop' }));
const themes = Array.from({ length: 12 }, (_, n) => new Theme(n));
rounds(round => { for (let n = 0; n < 900; n++) page.render(themes[n % 12], `user-${round}-${n}`, (n * 13 + round) % 100 + n / 1000); });
