"""Engines behind the engine protocol: the client and the engines that ship with the kit."""
