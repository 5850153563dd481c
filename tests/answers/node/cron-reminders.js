// Reminders for appointments: each schedules a task, and stops it when the appointment is over (node-cron/node-cron#348).
const cron = require('node-cron');
const rounds = require('./rounds');

class Appointments {
  constructor() {
    this.open = new Map();
  }
  book(id, customer) {
    const appointment = { id, customer, notes: `table for ${customer}`, reminded: 0 };
    appointment.task = cron.schedule('0 9 * * *', () => { appointment.reminded++; }, { scheduled: true });
    this.open.set(id, appointment);
  }
  close(id) {
    const appointment = this.open.get(id);
    appointment.task.stop();
    appointment.task.destroy?.();
    this.open.delete(id);
  }
}

const appointments = new Appointments();
let booked = 0;
rounds(() => {
  for (let i = 0; i < 600; i++) {
    appointments.book(++booked, `customer ${booked}`);
    if (appointments.open.size > 20) appointments.close(booked - 20);
  }
});
