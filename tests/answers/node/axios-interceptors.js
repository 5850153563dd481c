// A client for each user adds an interceptor to the instance that all users share.
const rounds = require('./rounds');
const axios = require('axios');

const api = axios.create({ baseURL: 'http://localhost:1' });
api.defaults.adapter = async config => ({ data: 'ok', status: 200, statusText: 'OK', headers: {}, config });

class UserClient {
  constructor(user) {
    this.user = user;
    this.token = { jwt: `${user}.`.repeat(30), scopes: ['read', 'write', user] };
    api.interceptors.request.use(config => {
      config.headers.set('authorization', this.token.jwt);
      return config;
    });
  }
  load() { return this.token.scopes.length; }
}

rounds(round => {
  for (let i = 0; i < 300; i++) new UserClient(`user-${round}-${i}`).load();
});
