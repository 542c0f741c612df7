import specwright

@specwright.model("door.smv")
class Door:
    def reset(self):
        return {"door": "closed"}

    def step(self, button):
        return {"door": "open" if button else "closed"}
